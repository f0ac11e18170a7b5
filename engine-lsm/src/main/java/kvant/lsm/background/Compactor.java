package kvant.lsm.background;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.RateLimit;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.store.BackgroundView;
import kvant.lsm.store.Changes;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.StoreFigures;
import kvant.lsm.store.StoreHealth;
import kvant.lsm.store.TableInstaller;
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
    /// @param version held; not a super version, whose memtables would stay in the heap while a merge runs
    /// @param fullMerge which of those asked for this is; 0 for none
    private record Task(Version version, Choice choice, List<Long> tables, long fullMerge) {}

    // Constant.
    private final SuperVersions readers;
    private final TableInstaller tables;
    private final Changes changes;
    private final StoreHealth health;
    private final FullCompaction fullCompaction;
    private final StoreFigures figures;
    private final Picker picker;
    private final InstantSource clock;
    private final RateLimit rate;
    private final List<Thread> threads = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Set<Long> busy = new HashSet<>();
    private int running;

    Compactor(BackgroundView store, CompactionOptions options, InstantSource clock) {
        this.readers = store.readers();
        this.tables = store.tables();
        this.changes = store.changes();
        this.health = store.health();
        this.fullCompaction = store.requests().fullCompaction();
        this.figures = store.figures();
        this.picker = options.picker();
        this.clock = clock;
        this.rate = new RateLimit(options.bytesPerSecond(), System::nanoTime);
        for (int i = 0; i < options.threads(); i++) {
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
        while (!changes.isClosing() && !isAtRest()) {
            changes.await(PAUSE_NANOS);
        }
    }

    private boolean isAtRest() {
        lock.lock();
        try {
            Shape shape = readers.current().version().shape();
            return running == 0
                    && readers.current().sealed().isEmpty()
                    && picker.pick(shape, busy, clock.millis()) instanceof Choice.Rest;
        } finally {
            lock.unlock();
        }
    }

    private void loop() {
        while (!changes.isClosing()) {
            boolean worked = false;
            try {
                worked = work();
            } catch (Throwable e) { // an error too: without its threads, the store would only grow
                report(BackgroundFailure.of("compaction", e));
            }
            if (!worked) {
                changes.await(RECHECK_NANOS);
            }
        }
    }

    /// @return whether there was something to do, so that there may be more
    private boolean work() {
        Task task = claim();
        if (task == null) {
            health.reportCompaction(null);
            tables.deleteObsolete(); // what a scan held until now
            return false;
        }
        EngineException failure = null;
        try {
            execute(task);
        } catch (Throwable e) {
            failure = BackgroundFailure.of("compaction", e);
        } finally {
            release(task, failure);
        }
        report(failure);
        return true;
    }

    private void release(Task task, @Nullable EngineException failure) {
        try {
            readers.release(task.version());
            tables.deleteObsolete(); // before the task counts as done, so that rest means that the space is free
        } finally {
            giveBack(task, failure);
        }
    }

    private void report(@Nullable EngineException failure) {
        health.reportCompaction(failure);
        if (failure != null) {
            changes.pause(RETRY_NANOS);
        }
    }

    private @Nullable Task claim() {
        lock.lock();
        try {
            long full = fullCompaction.pending();
            if (full > 0 && running > 0) {
                return null; // whoever finishes last will claim it
            }
            Version version = readers.acquire().version();
            Task task = null;
            try {
                task = task(version, full);
            } finally {
                if (task == null) {
                    version.release(); // without waking anyone: two threads would keep each other awake
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

    private @Nullable Task task(Version version, long full) {
        Shape shape = version.shape();
        Choice choice = full > 0 ? picker.all(shape) : picker.pick(shape, busy, clock.millis());
        return switch (choice) {
            case Choice.Rest _ -> {
                fullCompaction.answer(full);
                yield null;
            }
            case Choice.Merge merge -> new Task(version, merge, merge.tables(), full);
            case Choice.Move move -> new Task(version, move, move.tables(), full);
        };
    }

    private void giveBack(Task task, @Nullable EngineException failure) {
        lock.lock();
        try {
            task.tables().forEach(busy::remove);
            running--;
            if (failure == null) {
                fullCompaction.answer(task.fullMerge());
            } else {
                fullCompaction.fail(task.fullMerge(), failure);
            }
        } finally {
            lock.unlock();
        }
    }

    private void execute(Task task) throws IOException {
        Version version = task.version();
        switch (task.choice()) {
            case Choice.Rest _ -> throw new IllegalStateException("nobody claims rest");
            case Choice.Move move -> tables.installCompaction(CompactionJob.move(version, move));
            case Choice.Merge merge -> merge(version, merge);
        }
    }

    private void merge(Version version, Choice.Merge merge) throws IOException {
        List<TableInfo> inputs = merge.tables().stream().map(version::tableInfo).toList();
        try (StoreFigures.Work work = figures.compaction(inputs)) {
            RunWriter writer = tables.runWriter(bytes -> {
                pace(bytes);
                work.progressed(bytes);
            });
            VersionEdit edit = CompactionJob.merge(version, merge, clock.millis(), writer);
            tables.installCompaction(edit);
            work.done(Levels.levelOf(merge.outputRun()), edit.addedTables());
        }
    }

    private void pace(long bytes) throws InterruptedIOException {
        long waitNanos = rate.reserve(bytes);
        changes.refuseClosing();
        while (waitNanos > 0) {
            changes.pause(Math.min(waitNanos, PAUSE_NANOS));
            waitNanos -= PAUSE_NANOS;
            changes.refuseClosing();
        }
    }
}
