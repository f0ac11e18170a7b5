package kvant.lsm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import kvant.engine.ActivitySink;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.flush.FlushJob;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Run;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.VersionEdit;

/// The two threads that work while requests are served: one flushes sealed memtables, one merges runs and
/// deletes what nothing refers to any more. Both try again after a failure, and say in the meantime what is
/// wrong.
final class Background {

    private static final Logger LOGGER = System.getLogger(Background.class.getName());
    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();
    private static final long RECHECK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Store store;
    private final LsmOptions options;
    private final Thread flusher;
    private final Thread compactor;

    Background(Store store, LsmOptions options) {
        this.store = store;
        this.options = options;
        this.flusher = Thread.ofPlatform().name("kvant-lsm-flush").unstarted(this::flushLoop);
        this.compactor = Thread.ofPlatform().name("kvant-lsm-compaction").unstarted(this::compactionLoop);
    }

    void start() {
        flusher.start();
        compactor.start();
    }

    /// Waits until both threads have ended, after [Store#beginClose].
    void join() {
        boolean interrupted = false;
        for (Thread thread : List.of(flusher, compactor)) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void flushLoop() {
        for (Store.Sealed next = store.awaitSealed(); next != null; next = store.awaitSealed()) {
            ActivitySink activities = store.activities();
            long activity = activities.began("flush");
            try {
                flush(next);
                store.reportFlush(null);
            } catch (Throwable e) { // an error too: without this thread, writes would wait for ever
                store.reportFlush(troubleOf("flush", e));
                store.pause(RETRY_NANOS);
            } finally {
                activities.ended(activity);
            }
        }
    }

    private void flush(Store.Sealed sealed) throws IOException {
        long run = Levels.newestRun(store.nextFileNumber());
        List<TableInfo> tables = FlushJob.run(sealed.memtable(), run, store.runWriter());
        store.installFlush(sealed, tables);
    }

    private void compactionLoop() {
        while (!store.isClosing()) {
            boolean merged = false;
            try {
                merged = compact();
                store.reportCompaction(null);
                store.deleteObsolete();
            } catch (Throwable e) {
                store.reportCompaction(troubleOf("compaction", e));
                store.pause(RETRY_NANOS);
            }
            if (!merged) {
                store.awaitChange(RECHECK_NANOS);
            }
        }
    }

    /// @return whether something was merged, so that there may be more to merge
    private boolean compact() throws IOException {
        SuperVersion view = store.acquire();
        try {
            List<Long> sizes = view.version().runs().stream().map(Run::bytes).toList();
            return switch (options.picker().pick(sizes)) {
                case Choice.Rest _ -> false;
                case Choice.Merge merge -> {
                    ActivitySink activities = store.activities();
                    long activity = activities.began("compaction");
                    try {
                        merge(view, merge);
                    } finally {
                        activities.ended(activity);
                    }
                    yield true;
                }
            };
        } finally {
            store.release(view);
        }
    }

    private void merge(SuperVersion view, Choice.Merge merge) throws IOException {
        VersionEdit edit =
                CompactionJob.run(view.version(), merge, options.clock().millis(), store.runWriter());
        store.installCompaction(edit);
    }

    /// @param e an [InternalError] is what a mapped file gives that has been shortened
    private EngineException troubleOf(String what, Throwable e) {
        if (e instanceof InterruptedIOException) {
            return new EngineException.Closed();
        }
        LOGGER.log(Level.WARNING, "{0} failed and will be tried again: {1}", what, e.getMessage());
        return switch (e) {
            case StorageFullException full -> new EngineException.StorageFull(what + ": " + full.getMessage());
            case EngineException known -> known;
            default -> new EngineException.Io(what + " failed: " + e.getMessage(), e);
        };
    }
}
