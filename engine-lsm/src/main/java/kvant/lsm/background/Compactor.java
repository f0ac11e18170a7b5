package kvant.lsm.background;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;
import kvant.engine.Threads;
import kvant.engine.kit.RateLimit;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.LoadPace;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.compaction.MergeUrgency;
import kvant.lsm.store.Backlog;
import kvant.lsm.store.Store;
import kvant.lsm.store.StoreFigures;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.version.Levels;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import org.jspecify.annotations.Nullable;

/// The threads that merge tables while requests are served. Each asks the picker for a free task, carries it out at
/// the pace that the rate limit or the load allows, and deletes unreferenced files. A table that cannot be read is
/// quarantined, and other merges continue.
public final class Compactor {

    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();
    private static final long RECHECK_NANOS = Duration.ofMillis(250).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    // Constant.
    private final Store store;
    private final TableInstaller tables;
    private final RateLimit rate;
    private final MergeUrgency urgency;
    private final boolean givesWay;
    private final CompactionScheduler claims;
    private final DamagedTables damaged;
    private final BackgroundFailure failures = new BackgroundFailure("compaction", System::nanoTime);
    private final List<Thread> threads = new ArrayList<>();

    /// @param urgency of merges, before which they give way to requests
    /// @param lacksRoom whether writes are refused until there is room
    public Compactor(Store store, MergeUrgency urgency, BooleanSupplier lacksRoom) {
        CompactionOptions compaction = store.options().compaction();
        this.store = store;
        this.tables = store.tables();
        this.rate = new RateLimit(compaction.bytesPerSecond(), System::nanoTime);
        this.urgency = urgency;
        this.givesWay = compaction.givesWay();
        this.claims = new CompactionScheduler(store, compaction, urgency, lacksRoom);
        this.damaged = new DamagedTables(store);
        for (int i = 0; i < compaction.threads(); i++) {
            threads.add(Thread.ofPlatform().name("kvant-lsm-compaction-" + i).unstarted(this::loop));
        }
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    /// Waits until all threads have ended, once the store is being closed.
    public void join() {
        Threads.join(threads);
    }

    /// Waits until no memtable is left to flush and no table to merge, or the engine is being closed.
    public void awaitRest() {
        while (!store.isClosing() && !claims.isAtRest()) {
            store.await(PAUSE_NANOS);
        }
    }

    private void loop() {
        while (!store.isClosing()) {
            boolean worked = false;
            try {
                worked = work();
            } catch (Throwable e) { // an error too: without its threads, the store would only grow
                report(failures.of(e));
            }
            if (!worked) {
                store.await(RECHECK_NANOS);
            }
        }
        for (MergeTask task = claims.abandon(); task != null; task = claims.abandon()) {
            end(task);
        }
    }

    /// @return whether there was something to do, so that there may be more
    private boolean work() throws IOException {
        if (damaged.check()) {
            return true;
        }
        CompactionScheduler.Claim claim = claims.claim();
        if (claim == null) {
            store.health().reportCompaction(claims.noRoom());
            tables.deleteObsolete(); // files held by a scan until now
            return false;
        }
        MergeTask task = claim.task();
        EngineException failure = null;
        boolean carriedThrough = false;
        try {
            execute(task, claim.part());
            carriedThrough = true;
        } catch (Throwable e) {
            failure = damaged.isCauseOf(e, task) ? null : failures.of(e);
        } finally {
            if (claims.endPart(task, carriedThrough, failure)) {
                failure = end(task);
            }
        }
        report(failure);
        return true;
    }

    /// Ends a task without running parts.
    ///
    /// @return the failure, or null
    private @Nullable EngineException end(MergeTask task) {
        EngineException failure = task.failure();
        boolean carriedThrough = false;
        try {
            if (task.isCarriedThrough()) {
                VersionEdit rest = task.rest();
                if (rest != null) {
                    store.apply(rest);
                }
                carriedThrough = true;
            }
        } catch (Throwable e) {
            failure = failures.of(e);
        } finally {
            release(task, carriedThrough, failure);
        }
        return failure;
    }

    private void release(MergeTask task, boolean carriedThrough, @Nullable EngineException failure) {
        try {
            store.readers().release(task.version());
            tables.deleteObsolete(); // before the task counts as done, so that rest means that the space is free
        } finally {
            claims.giveBack(task, carriedThrough, failure);
        }
    }

    private void report(@Nullable EngineException failure) {
        store.health().reportCompaction(failure);
        if (failure != null) {
            store.pause(RETRY_NANOS);
        }
    }

    private void execute(MergeTask task, @Nullable MergePart part) throws IOException {
        Version version = task.version();
        switch (task.choice()) {
            case CompactionPlan.Rest _ -> throw new IllegalStateException("rest is never claimed");
            case CompactionPlan.Move move -> store.apply(CompactionJob.move(version, move));
            case CompactionPlan.Merge merge -> merge(task, merge, Objects.requireNonNull(part));
        }
    }

    private void merge(MergeTask task, CompactionPlan.Merge merge, MergePart part) throws IOException {
        long movedBytes = task.movedBytes() / task.parts().size();
        try (StoreFigures.Work work = store.figures()
                .compaction(part.bytes() + movedBytes, part.replaced().size())) {
            RoomWatch room = new RoomWatch(tables, task.deletions() > 0);
            LoadPace load = new LoadPace();
            RunWriter.Pace pace = bytes -> {
                pace(bytes, load);
                room.wrote(bytes);
                work.progressed(bytes);
            };
            RunWriter writer = tables.separatingWriter(pace, task.emptied());
            VersionEdit edit = CompactionJob.merge(
                    task.version(), merge, part, store.options().clock().millis(), writer);
            store.apply(edit);
            work.done(Levels.levelOf(merge.outputRun()), edit.added());
        }
    }

    private void pace(long bytes, LoadPace load) throws InterruptedIOException {
        long waitNanos = givesWay ? giveWay(load) : rate.reserve(bytes);
        store.refuseClosing();
        while (waitNanos > 0) {
            store.pause(Math.min(waitNanos, PAUSE_NANOS));
            waitNanos -= PAUSE_NANOS;
            store.refuseClosing();
        }
    }

    /// @return how long to rest
    private long giveWay(LoadPace load) {
        Backlog.Amount now = store.backlog().now();
        long restNanos = load.restNanos(urgency.of(now.levelZeroRuns(), now.debtBytes()));
        store.figures().gaveWay(restNanos);
        return restNanos;
    }

    /// A watch that aborts a merge when the disk has filled up meanwhile: its output is deleted, which leaves the
    /// room to writes and flushes. Belongs to one merge.
    private static final class RoomWatch {

        private static final long CHECK_BYTES = 8 << 20;

        private final TableInstaller tables;
        private final boolean dropsDeletions;
        private long unchecked;

        /// @param dropsDeletions whether the merge may use more room than others on a full disk
        RoomWatch(TableInstaller tables, boolean dropsDeletions) {
            this.tables = tables;
            this.dropsDeletions = dropsDeletions;
        }

        /// @throws EngineException.StorageFull when less is free than has to stay so
        void wrote(long bytes) {
            unchecked += bytes;
            if (unchecked >= CHECK_BYTES) {
                unchecked = 0;
                tables.deleteObsolete(); // the merge may take long, and scans may give way meanwhile
                EngineException.StorageFull refusal =
                        dropsDeletions ? tables.refuseRoomForDeletions(0) : tables.refuseRoom(0);
                if (refusal != null) {
                    throw refusal;
                }
            }
        }
    }
}
