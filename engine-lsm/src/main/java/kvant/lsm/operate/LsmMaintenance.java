package kvant.lsm.operate;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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
import kvant.lsm.read.SuperVersion;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.storage.FileNames;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Store;
import org.jspecify.annotations.Nullable;

/// Maintenance of an open LSM store. Any thread may call it, and waits for a running checkpoint or compaction of
/// another thread; closing the engine aborts both.
public final class LsmMaintenance implements Maintenance {

    static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long CHECK_NANOS = Duration.ofMillis(50).toNanos();

    // Constant.
    private final Engine engine;
    private final Store store;
    private final SuperVersions readers;
    private final Checkpoint.Context checkpoints;

    /// Held during a checkpoint or a compaction.
    private final ReentrantLock changing = new ReentrantLock();

    /// @param engine whose commit thread a write wakes
    public LsmMaintenance(Engine engine, Store store, Checkpoint.Context checkpoints) {
        this.engine = engine;
        this.store = store;
        this.readers = store.readers();
        this.checkpoints = checkpoints;
    }

    @Override
    public Inspection inspect() {
        StoreInspection inspector = new StoreInspection();
        SuperVersion view = readers.acquire();
        try {
            inspector.version(view.version());
            inspector.figure("last_sequence", Unit.COUNT, readers.visibleSequence());
            List<Memtable> memtables = view.memtables();
            inspector.figure("memtable_records", Unit.COUNT, StoreInspection.sum(memtables, Memtable::count));
            inspector.figure("memtable_bytes", Unit.BYTES, StoreInspection.sum(memtables, Memtable::bytes));
        } finally {
            readers.release(view);
        }
        for (long log : store.logs()) {
            show(log, inspector);
        }
        double amplification = store.figures().writeAmplification();
        if (amplification > 0) {
            inspector.figure("write_amplification_since_start", Unit.RATIO, amplification);
        }
        return inspector.inspection();
    }

    @Override
    public void checkpoint(Path target, Progress progress) {
        begin();
        try {
            new Checkpoint(checkpoints, readers, store::isClosing, progress).write(target);
        } finally {
            changing.unlock();
        }
    }

    @Override
    public void compact(Progress progress) {
        begin();
        try {
            flush(progress);
            long request = store.fullCompaction().request();
            store.signal();
            AtomicLong nextLine = new AtomicLong(System.nanoTime() + PROGRESS_NANOS);
            while (!store.fullCompaction().isDone(request)) {
                refuseFailed(null);
                sayNowAndThen(nextLine, progress, this::left);
                store.await(CHECK_NANOS);
            }
        } finally {
            changing.unlock();
        }
    }

    /// Waits until no checkpoint or compaction is running; the store is closing, so that none begins.
    public void awaitEnd() {
        changing.lock();
        changing.unlock();
    }

    /// Flushes all memtables, and waits for it.
    private void flush(Progress progress) {
        Memtable active = readers.current().active();
        if (!active.isEmpty()) {
            store.requestSeal(true);
            try {
                wakeCommitThread();
            } finally {
                store.requestSeal(false);
            }
        }
        List<Memtable> waiting = readers.current().sealed();
        AtomicLong nextLine = new AtomicLong(System.nanoTime() + PROGRESS_NANOS);
        while (readers.current().sealed().stream().anyMatch(waiting::contains)) {
            refuseFailed(store.health().flushFailure());
            sayNowAndThen(nextLine, progress, () -> "writing out what is in memory");
            store.await(CHECK_NANOS);
        }
    }

    /// The commit thread seals when it takes a group; this write makes one, and its condition never holds.
    private void wakeCommitThread() {
        try {
            engine.write(WriteBatch.of(new Mutation.Delete(new byte[1])).when(new Condition.VersionIs(Long.MAX_VALUE)));
        } catch (ConditionFailedException _) {
            // Intended: nothing is written.
        }
    }

    private void begin() {
        if (!changing.tryLock()) {
            throw new EngineException.Busy("a checkpoint or a compaction is running: try again when it has ended");
        }
        if (store.isClosing()) {
            changing.unlock();
            throw new EngineException.Closed();
        }
    }

    private void refuseFailed(@Nullable EngineException failure) {
        if (store.isClosing()) {
            throw new EngineException.Closed();
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// The finished and the remaining work of the compaction.
    private String left() {
        FullCompaction.Progress now = store.fullCompaction().progress();
        long tookNanos = System.nanoTime() - now.beganNanos();
        String merged = "merged " + size(now.doneBytes()) + " of " + size(now.doneBytes() + now.leftBytes());
        return now.doneBytes() == 0
                ? merged
                : merged + ", about "
                        + Duration.ofNanos((long) ((double) tookNanos / now.doneBytes() * now.leftBytes()))
                                .toSeconds() + " s left";
    }

    private void show(long log, StoreInspection inspector) {
        try {
            inspector.log(log, store.storage());
        } catch (NoSuchFileException _) {
            // Flushed just now.
        } catch (IOException e) {
            throw new EngineException.Io("cannot look at " + store.storage().describe(FileNames.log(log)), e);
        }
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
