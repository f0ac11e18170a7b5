package kvant.lsm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kvant.engine.Condition;
import kvant.engine.ConditionFailedException;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Inspection.Unit;
import kvant.engine.Maintenance;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.storage.FileNames;
import org.jspecify.annotations.Nullable;

/// What operators may ask of an open LSM store. Any thread may call it, and waits while another one's checkpoint or
/// compaction goes on; the end of the engine breaks both off.
final class LsmMaintenance implements Maintenance {

    static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long CHECK_NANOS = Duration.ofMillis(50).toNanos();

    // Constant.
    private final Engine engine;
    private final Store store;
    private final LsmOptions options;
    private final Path files;
    private final Checkpoint.Disk disk;

    /// Held while a checkpoint or a compaction goes on.
    private final ReentrantLock changing = new ReentrantLock();

    /// @param files the directory of the store's files
    LsmMaintenance(Engine engine, Store store, LsmOptions options, Path files, Checkpoint.Disk disk) {
        this.engine = engine;
        this.store = store;
        this.options = options;
        this.files = files;
        this.disk = disk;
    }

    @Override
    public Inspection inspect() {
        Inspector inspector = new Inspector();
        SuperVersion view = store.acquire();
        try {
            inspector.runs(view.version().runs());
            inspector.figure("last_sequence", Unit.COUNT, store.visibleSequence());
            inspector.figure(
                    "memtable_records",
                    Unit.COUNT,
                    memtables(view).stream().mapToLong(Memtable::count).sum());
            inspector.figure(
                    "memtable_bytes",
                    Unit.BYTES,
                    memtables(view).stream().mapToLong(Memtable::bytes).sum());
        } finally {
            store.release(view);
        }
        for (long log : store.logs()) {
            inspector.log(log, sizeOf(FileNames.log(log)));
        }
        double amplification = store.operations().figures().writeAmplification();
        if (amplification > 0) {
            inspector.figure("write_amplification_since_start", Unit.RATIO, amplification);
        }
        return inspector.inspection();
    }

    @Override
    public void checkpoint(Path target, Progress progress) {
        begin();
        try {
            // The view first: whatever is acknowledged by now is in it, and its memtables go up to the sequence.
            SuperVersion view = store.acquire();
            try {
                new Checkpoint(files, options, disk, store::isClosing, progress)
                        .write(view, store.visibleSequence(), target);
            } finally {
                store.release(view);
            }
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void compact(Progress progress) {
        begin();
        try {
            flush(progress);
            long request = store.operations().fullCompaction().request();
            store.signal();
            AtomicLong nextLine = new AtomicLong(System.nanoTime() + PROGRESS_NANOS);
            while (!store.operations().fullCompaction().isDone(request)) {
                refuseTrouble(null);
                sayNowAndThen(nextLine, progress, this::left);
                store.awaitChange(CHECK_NANOS);
            }
        } finally {
            changing.unlock();
        }
    }

    /// Waits until no checkpoint or compaction goes on; the store is closing, so that none begins.
    void awaitEnd() {
        changing.lock();
        changing.unlock();
    }

    /// Has what is in memory only written to tables, and waits for it.
    private void flush(Progress progress) {
        Memtable active = store.current().active();
        if (!active.isEmpty()) {
            store.operations().requestSeal(true);
            try {
                wakeCommitThread();
            } finally {
                store.operations().requestSeal(false);
            }
        }
        List<Memtable> waiting = store.current().sealed();
        AtomicLong nextLine = new AtomicLong(System.nanoTime() + PROGRESS_NANOS);
        while (store.current().sealed().stream().anyMatch(waiting::contains)) {
            refuseTrouble(store.flushTrouble());
            sayNowAndThen(nextLine, progress, () -> "writing out what is in memory");
            store.awaitChange(CHECK_NANOS);
        }
    }

    /// The commit thread seals when it takes a group; this write makes one, and its condition never holds.
    private void wakeCommitThread() {
        try {
            engine.write(WriteBatch.of(new Mutation.Delete(new byte[1])).when(new Condition.VersionIs(Long.MAX_VALUE)));
        } catch (ConditionFailedException _) {
            // As meant: nothing is written.
        }
    }

    private void begin() {
        if (!changing.tryLock()) {
            throw new EngineException.Busy("a checkpoint or a compaction is going on: try again when it has ended");
        }
        if (store.isClosing()) {
            changing.unlock();
            throw new EngineException.Closed();
        }
    }

    private void refuseTrouble(@Nullable EngineException trouble) {
        if (store.isClosing()) {
            throw new EngineException.Closed();
        }
        if (trouble != null) {
            throw trouble;
        }
    }

    private String left() {
        int runs = store.current().version().runs().size();
        return runs + (runs == 1 ? " run, " : " runs, ")
                + size(store.operations().figures().unmergedBytes()) + " left";
    }

    private long sizeOf(String file) {
        try {
            return Files.size(files.resolve(file));
        } catch (NoSuchFileException _) {
            return 0; // flushed just now
        } catch (IOException e) {
            throw new EngineException.Io("cannot look at " + files.resolve(file), e);
        }
    }

    private static List<Memtable> memtables(SuperVersion view) {
        return Stream.concat(Stream.of(view.active()), view.sealed().stream()).toList();
    }

    private static void sayNowAndThen(AtomicLong next, Progress progress, Supplier<String> line) {
        if (System.nanoTime() - next.get() > 0) {
            next.set(System.nanoTime() + PROGRESS_NANOS);
            progress.line(line.get());
        }
    }

    static String size(long bytes) {
        return bytes < 10_000_000
                ? bytes / 1_000 + " kB"
                : String.format(Locale.ROOT, bytes < 1e9 ? "%.0f MB" : "%.1f GB", bytes / (bytes < 1e9 ? 1e6 : 1e9));
    }
}
