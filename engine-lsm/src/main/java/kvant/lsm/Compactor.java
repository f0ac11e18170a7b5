package kvant.lsm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.ActivitySink;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.RateLimit;
import kvant.lsm.version.Shape;
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
    private static final long RECHECK_NANOS = Duration.ofSeconds(1).toNanos();
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
    private final Condition done = lock.newCondition();

    // Guarded by the lock.
    private final Set<Long> busy = new HashSet<>();
    private int running;
    private long fullMergesAsked;
    private long fullMergesDone;
    private @Nullable EngineException fullMergeTrouble;

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

    /// Merges everything into one run without deletions, and returns when that is done. Flushes and smaller merges that
    /// were under way are finished first; none is begun meanwhile.
    ///
    /// @throws EngineException why it failed; the store is as it was, and merging goes on as usual
    void mergeAll() {
        lock.lock();
        try {
            long wanted = ++fullMergesAsked;
            fullMergeTrouble = null;
            store.wakeBackground();
            while (fullMergesDone < wanted) {
                if (store.isClosing()) {
                    throw new EngineException.Closed();
                }
                done.awaitUninterruptibly();
            }
            if (fullMergeTrouble != null) {
                throw fullMergeTrouble;
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until no memtable is left to flush and no table to merge, or the engine is being closed.
    void awaitRest() {
        lock.lock();
        try {
            while (!store.isClosing() && !isAtRest()) {
                var _ = done.awaitNanos(PAUSE_NANOS); // a flush does not signal it
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private boolean isAtRest() {
        if (running > 0 || !store.current().sealed().isEmpty()) {
            return false;
        }
        Shape shape = store.current().version().shape();
        return options.compaction().picker().pick(shape, busy, options.clock().millis()) instanceof Choice.Rest;
    }

    /// Wakes whoever waits for a full merge, after [Store#beginClose].
    void beginClose() {
        lock.lock();
        try {
            done.signalAll();
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
        }
        store.release(task.view());
        store.deleteObsolete(); // before the task counts as done, so that rest means that the space is free
        giveBack(task, trouble);
        trouble(trouble);
        return true;
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
            long full = fullMergesDone < fullMergesAsked ? fullMergesAsked : 0;
            if (full > 0 && running > 0) {
                return null; // whoever finishes last will claim it
            }
            SuperVersion view = store.acquire();
            Shape shape = view.version().shape();
            Choice choice = full > 0
                    ? options.compaction().picker().all(shape)
                    : options.compaction()
                            .picker()
                            .pick(shape, busy, options.clock().millis());
            return switch (choice) {
                case Choice.Rest _ -> {
                    view.version().release(); // without waking anyone: two threads would keep each other awake
                    finishFullMerge(full, null);
                    yield null;
                }
                case Choice.Merge merge -> claimed(new Task(view, merge, merge.tables(), full));
                case Choice.Move move -> claimed(new Task(view, move, move.tables(), full));
            };
        } finally {
            lock.unlock();
        }
    }

    private Task claimed(Task task) {
        busy.addAll(task.tables());
        running++;
        return task;
    }

    private void giveBack(Task task, @Nullable EngineException trouble) {
        lock.lock();
        try {
            task.tables().forEach(busy::remove);
            running--;
            finishFullMerge(task.fullMerge(), trouble);
        } finally {
            lock.unlock();
        }
    }

    private void finishFullMerge(long number, @Nullable EngineException trouble) {
        if (number > fullMergesDone) {
            fullMergesDone = number;
            fullMergeTrouble = trouble;
            done.signalAll();
        }
    }

    private void execute(Task task) throws IOException {
        ActivitySink activities = store.activities();
        long activity = activities.began("compaction");
        try {
            store.installCompaction(edit(task));
        } finally {
            activities.ended(activity);
        }
    }

    private VersionEdit edit(Task task) throws IOException {
        return switch (task.choice()) {
            case Choice.Rest _ -> throw new IllegalStateException("nobody claims rest");
            case Choice.Move move -> CompactionJob.move(task.view().version(), move);
            case Choice.Merge merge ->
                CompactionJob.merge(
                        task.view().version(), merge, options.clock().millis(), store.runWriter(this::pace));
        };
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
