package kvant.move.copy;

import java.util.ArrayList;
import java.util.List;
import kvant.engine.Mutation;
import kvant.engine.kit.RateLimit;
import kvant.text.UserException;

/// A run of a copy, from the saved position to the end of the source, or until it is stopped.
///
/// It copies the records that the scan shows; concurrent writes to the source may be included or not. Belongs to one
/// thread.
public final class Copy {

    // Constant.
    private final Endpoint from;
    private final Endpoint to;
    private final CopyOptions options;
    private final StateFile file;
    private final Progress progress;
    private final RetryPolicy retries;
    private final RateLimit rate;

    // One thread.
    private List<Mutation> chunk = new ArrayList<>();
    private long chunkBytes;
    private long savedNanos;

    public Copy(
            Endpoint from, Endpoint to, CopyOptions options, StateFile file, Progress progress, RetryPolicy retries) {
        this.from = from;
        this.to = to;
        this.options = options;
        this.file = file;
        this.progress = progress;
        this.retries = retries;
        this.rate = new RateLimit(options.bytesPerSecond(), retries::nanos);
    }

    /// Whether an endpoint holds any record.
    public static boolean isEmpty(Endpoint endpoint, RetryPolicy retries) {
        try (Records records = new Records(endpoint, null, retries)) {
            return !records.next();
        }
    }

    /// Copies the records. In every case the state file then holds the key up to which the target has all records.
    ///
    /// @return the final state; not [CopyState#finished] when stopped
    /// @throws UserException when the source cannot be read, or the target refuses a record
    public CopyState run(CopyState begin) {
        file.write(begin); // before the first record: a target with records and without a state is not ours
        savedNanos = retries.nanos();
        Window window = new Window(to, begin, options, retries);
        try (Records records = new Records(from, begin.key(), retries)) {
            while (records.next()) {
                add(records, window);
            }
            send(window);
            window.drain();
        } catch (UserException e) {
            save(window.arrived(), e);
            throw e;
        }
        CopyState arrived = window.arrived();
        CopyState end = retries.isStopped() ? arrived : arrived.end();
        file.write(end);
        return end;
    }

    private void add(Records records, Window window) {
        long bytes = records.bytes();
        boolean fits = chunk.size() < window.writeRecords() && chunkBytes + bytes <= options.writeBytes();
        if (!fits) {
            send(window);
        }
        chunk.add(new Mutation.Put(records.key(), records.value(), records.expiresAtMillis()));
        chunkBytes += bytes;
    }

    private void send(Window window) {
        if (chunk.isEmpty()) {
            return;
        }
        retries.sleep(rate.reserve(chunkBytes));
        window.send(chunk, chunkBytes);
        chunk = new ArrayList<>();
        chunkBytes = 0;
        progress.copied(window.arrived());
        long nowNanos = retries.nanos();
        if (nowNanos - savedNanos >= options.saveNanos()) {
            file.write(window.arrived());
            savedNanos = nowNanos;
        }
    }

    private void save(CopyState state, UserException failure) {
        try {
            file.write(state);
        } catch (UserException e) {
            failure.addSuppressed(e); // the previous state remains and is also correct
        }
    }
}
