package kvant.move.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import kvant.engine.Mutation;

/// One run of a copy, from where the state says to the end of the source, or until it is asked to stop.
///
/// The copy is of the records as its scan shows them: what is written to the source meanwhile may be in it or not.
/// Belongs to one thread.
public final class Copy {

    // Constant.
    private final Home from;
    private final Home to;
    private final CopyOptions options;
    private final StateFile file;
    private final Progress progress;
    private final Patience patience;
    private final Throttle throttle;

    // One thread.
    private List<Mutation> load = new ArrayList<>();
    private long loadBytes;
    private long savedNanos;

    public Copy(
            Home from,
            Home to,
            CopyOptions options,
            StateFile file,
            Progress progress,
            Time time,
            BooleanSupplier stopped) {
        this.from = from;
        this.to = to;
        this.options = options;
        this.file = file;
        this.progress = progress;
        this.patience = new Patience(time, stopped);
        this.throttle = new Throttle(options.bytesPerSecond(), patience);
    }

    /// Whether a home holds any record.
    public static boolean isEmpty(Home home, Time time, BooleanSupplier stopped) {
        try (Records records = new Records(home, null, new Patience(time, stopped))) {
            return !records.next();
        }
    }

    /// Copies. However it ends, the file then says up to where everything is in the target.
    ///
    /// @return that, which is not [CopyState#finished] when it was asked to stop
    /// @throws CopyException when the source cannot be read, or the target does not take what it held
    public CopyState run(CopyState begin) {
        file.write(begin); // before the first record: a target with records and without a state is nobody's
        savedNanos = patience.time().nanos();
        Window window = new Window(to, begin, options, patience);
        try (Records records = new Records(from, begin.key(), patience)) {
            while (records.next()) {
                add(records, window);
            }
            send(window);
            window.drain();
        } catch (CopyException e) {
            save(window.arrived(), e);
            throw e;
        }
        CopyState arrived = window.arrived();
        CopyState end = patience.isStopped() ? arrived : arrived.end();
        file.write(end);
        return end;
    }

    private void add(Records records, Window window) {
        long bytes = records.bytes();
        boolean fits = load.size() < window.writeRecords() && loadBytes + bytes <= options.writeBytes();
        if (!fits) {
            send(window);
        }
        load.add(new Mutation.Put(records.key(), records.value(), records.expiresAtMillis()));
        loadBytes += bytes;
    }

    private void send(Window window) {
        if (load.isEmpty()) {
            return;
        }
        throttle.pass(loadBytes);
        window.send(load, loadBytes);
        load = new ArrayList<>();
        loadBytes = 0;
        progress.copied(window.arrived());
        long nowNanos = patience.time().nanos();
        if (nowNanos - savedNanos >= options.saveNanos()) {
            file.write(window.arrived());
            savedNanos = nowNanos;
        }
    }

    private void save(CopyState state, CopyException failure) {
        try {
            file.write(state);
        } catch (CopyException e) {
            failure.addSuppressed(e); // then an older state holds, which is as true
        }
    }
}
