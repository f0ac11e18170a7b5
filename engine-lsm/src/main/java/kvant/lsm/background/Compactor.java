package kvant.lsm.background;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.RateLimit;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.store.BackgroundView;
import kvant.lsm.store.Changes;
import kvant.lsm.store.StoreFigures;
import kvant.lsm.store.StoreHealth;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.version.Levels;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import org.jspecify.annotations.Nullable;

/// The threads that merge tables while requests are served. Each asks the picker for something that no other one is
/// busy with, carries it out at the pace that the rate limit allows, and deletes what nothing refers to any
/// more. A table that cannot be read is set aside, and other merges go on.
final class Compactor {

    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();
    private static final long RECHECK_NANOS = Duration.ofMillis(250).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    // Constant.
    private final SuperVersions readers;
    private final TableInstaller tables;
    private final Changes changes;
    private final StoreHealth health;
    private final StoreFigures figures;
    private final InstantSource clock;
    private final RateLimit rate;
    private final MergeClaims claims;
    private final DamagedTables damaged;
    private final BackgroundFailure failures = new BackgroundFailure("compaction", System::nanoTime);
    private final List<Thread> threads = new ArrayList<>();

    Compactor(BackgroundView store, CompactionOptions options, InstantSource clock) {
        this.readers = store.readers();
        this.tables = store.tables();
        this.changes = store.changes();
        this.health = store.health();
        this.figures = store.figures();
        this.clock = clock;
        this.rate = new RateLimit(options.bytesPerSecond(), System::nanoTime);
        this.claims = new MergeClaims(store, options.picker(), clock);
        this.damaged = new DamagedTables(store);
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
        while (!changes.isClosing() && !claims.isAtRest()) {
            changes.await(PAUSE_NANOS);
        }
    }

    private void loop() {
        while (!changes.isClosing()) {
            boolean worked = false;
            try {
                worked = work();
            } catch (Throwable e) { // an error too: without its threads, the store would only grow
                report(failures.of(e));
            }
            if (!worked) {
                changes.await(RECHECK_NANOS);
            }
        }
    }

    /// @return whether there was something to do, so that there may be more
    private boolean work() throws IOException {
        if (damaged.check()) {
            return true;
        }
        MergeTask task = claims.claim();
        if (task == null) {
            health.reportCompaction(claims.noRoom());
            tables.deleteObsolete(); // what a scan held until now
            return false;
        }
        EngineException failure = null;
        boolean carriedThrough = false;
        try {
            execute(task);
            carriedThrough = true;
        } catch (Throwable e) {
            failure = damaged.isCauseOf(e, task) ? null : failures.of(e);
        } finally {
            release(task, carriedThrough, failure);
        }
        report(failure);
        return true;
    }

    private void release(MergeTask task, boolean carriedThrough, @Nullable EngineException failure) {
        try {
            readers.release(task.version());
            tables.deleteObsolete(); // before the task counts as done, so that rest means that the space is free
        } finally {
            claims.giveBack(task, carriedThrough, failure);
        }
    }

    private void report(@Nullable EngineException failure) {
        health.reportCompaction(failure);
        if (failure != null) {
            changes.pause(RETRY_NANOS);
        }
    }

    private void execute(MergeTask task) throws IOException {
        Version version = task.version();
        switch (task.choice()) {
            case Choice.Rest _ -> throw new IllegalStateException("nobody claims rest");
            case Choice.Move move -> tables.installCompaction(CompactionJob.move(version, move));
            case Choice.Merge merge -> merge(task, merge);
        }
    }

    private void merge(MergeTask task, Choice.Merge merge) throws IOException {
        try (StoreFigures.Work work = figures.compaction(task.inputs(), task.movedBytes())) {
            RoomWatch room = new RoomWatch(tables, task.deletions() > 0);
            RunWriter.Pace pace = bytes -> {
                pace(bytes);
                room.wrote(bytes);
                work.progressed(bytes);
            };
            RunWriter writer = tables.separatingWriter(pace, task.emptied());
            VersionEdit edit = CompactionJob.merge(task.version(), merge, clock.millis(), writer);
            tables.installCompaction(edit);
            work.done(Levels.levelOf(merge.outputRun()), edit.written());
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
