package kvant.lsm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.RateLimit;
import kvant.lsm.version.Levels;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.Shape;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import org.jspecify.annotations.Nullable;

/// The threads that merge tables while requests are served. Each asks the picker for something that no other one is
/// busy with, carries it out at the pace that the rate limit allows, and deletes what nothing refers to any
/// more.
///
/// A task is claimed, and its tables are given back, under one lock, and the version that it works on is taken
/// there too: so no picker sees a version in which a table is still there that a finished merge has replaced.
final class Compactor {

    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();
    private static final long RECHECK_NANOS = Duration.ofMillis(250).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    /// A choice, and the tables that no other one may have until it is done.
    ///
    /// @param fullMerge which of those asked for this is; 0 for none
    private record Task(SuperVersion view, Choice choice, List<Long> tables, long fullMerge) {}

    // Constant.
    private final Store store;
    private final LsmOptions options;
    private final RateLimit rate;
    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Set<Long> busy = new HashSet<>();
    private int running;

    Compactor(Store store, LsmOptions options) {
        this.store = store;
        this.options = options;
        this.rate = new RateLimit(options.compaction().bytesPerSecond(), System::nanoTime);
        for (int i = 0; i < options.compaction().threads(); i++) {
            threads.add(Thread.ofPlatform().name("kvant-lsm-compaction-" + i).unstarted(this::loop));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    List<Thread> threads() {
        return threads;
    }

    /// Waits until no memtable is left to flush and no table to merge, or the engine is being closed.
    void awaitRest() {
        while (!store.isClosing() && !isAtRest()) {
            store.awaitChange(PAUSE_NANOS);
        }
    }

    private boolean isAtRest() {
        lock.lock();
        try {
            Shape shape = store.current().version().shape();
            return running == 0
                    && store.current().sealed().isEmpty()
                    && options.compaction()
                                    .picker()
                                    .pick(shape, busy, options.clock().millis())
                            instanceof Choice.Rest;
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        while (!store.isClosing()) {
            boolean worked = false;
            try {
                worked = work();
            } catch (Throwable e) { // an error too: without its threads, the store would only grow
                trouble(Trouble.of("compaction", e));
            }
            if (!worked) {
                store.awaitChange(RECHECK_NANOS);
            }
        }
    }

    /// @return whether there was something to do, so that there may be more
    private boolean work() {
        Task task = claim();
        if (task == null) {
            store.reportCompaction(null);
            store.deleteObsolete(); // what a scan held until now
            return false;
        }
        EngineException trouble = null;
        try {
            execute(task);
        } catch (Throwable e) {
            trouble = Trouble.of("compaction", e);
        } finally {
            release(task, trouble);
        }
        trouble(trouble);
        return true;
    }

    private void release(Task task, @Nullable EngineException trouble) {
        try {
            store.release(task.view());
            store.deleteObsolete(); // before the task counts as done, so that rest means that the space is free
        } finally {
            giveBack(task, trouble);
        }
    }

    private void trouble(@Nullable EngineException trouble) {
        store.reportCompaction(trouble);
        if (trouble != null) {
            store.pause(RETRY_NANOS);
        }
    }

    private @Nullable Task claim() {
        lock.lock();
        try {
            long full = store.operations().fullCompaction().pending();
            if (full > 0 && running > 0) {
                return null; // whoever finishes last will claim it
            }
            SuperVersion view = store.acquire();
            Task task = null;
            try {
                task = task(view, full);
            } finally {
                if (task == null) {
                    view.version().release(); // without waking anyone: two threads would keep each other awake
                }
            }
            if (task != null) {
                busy.addAll(task.tables());
                running++;
            }
            return task;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Task task(SuperVersion view, long full) {
        Shape shape = view.version().shape();
        Choice choice = full > 0
                ? options.compaction().picker().all(shape)
                : options.compaction()
                        .picker()
                        .pick(shape, busy, options.clock().millis());
        return switch (choice) {
            case Choice.Rest _ -> {
                store.operations().fullCompaction().answer(full);
                yield null;
            }
            case Choice.Merge merge -> new Task(view, merge, merge.tables(), full);
            case Choice.Move move -> new Task(view, move, move.tables(), full);
        };
    }

    private void giveBack(Task task, @Nullable EngineException trouble) {
        lock.lock();
        try {
            task.tables().forEach(busy::remove);
            running--;
            if (trouble == null) {
                store.operations().fullCompaction().answer(task.fullMerge());
            } else {
                store.operations().fullCompaction().fail(task.fullMerge(), trouble);
            }
        } finally {
            lock.unlock();
        }
    }

    private void execute(Task task) throws IOException {
        Version version = task.view().version();
        switch (task.choice()) {
            case Choice.Rest _ -> throw new IllegalStateException("nobody claims rest");
            case Choice.Move move -> store.installCompaction(CompactionJob.move(version, move));
            case Choice.Merge merge -> merge(version, merge);
        }
    }

    private void merge(Version version, Choice.Merge merge) throws IOException {
        List<TableInfo> inputs = merge.tables().stream().map(version::tableInfo).toList();
        try (StoreFigures.Work work = store.operations().figures().compaction(inputs)) {
            RunWriter writer = store.runWriter(bytes -> {
                pace(bytes);
                work.progressed(bytes);
            });
            VersionEdit edit =
                    CompactionJob.merge(version, merge, options.clock().millis(), writer);
            store.installCompaction(edit);
            work.done(Levels.levelOf(merge.outputRun()), edit.addedTables());
        }
    }

    private void pace(long bytes) throws InterruptedIOException {
        long waitNanos = rate.reserve(bytes);
        store.refuseClosing();
        while (waitNanos > 0) {
            store.pause(Math.min(waitNanos, PAUSE_NANOS));
            waitNanos -= PAUSE_NANOS;
            store.refuseClosing();
        }
    }
}
