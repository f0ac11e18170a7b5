package kvant.lsm.background;

import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import kvant.engine.EngineException;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.Picker;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.store.BackgroundView;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Quarantine;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// Which merges run, and which tables they have. A task is claimed, and its tables are given back, under one lock, and
/// the version that it works on is taken there too: so no picker sees a version in which a table is still there that a
/// finished merge has replaced. For the compaction threads.
final class MergeClaims {

    // Constant.
    private final SuperVersions readers;
    private final FullCompaction fullCompaction;
    private final Quarantine quarantine;
    private final Picker picker;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Set<Long> busy = new HashSet<>();
    private int running;

    MergeClaims(BackgroundView store, Picker picker, InstantSource clock) {
        this.readers = store.readers();
        this.fullCompaction = store.requests().fullCompaction();
        this.quarantine = store.health().quarantine();
        this.picker = picker;
        this.clock = clock;
    }

    /// Whether nothing is being merged, and nothing is to be.
    boolean isAtRest() {
        lock.lock();
        try {
            Shape shape = readers.current().version().shape();
            return running == 0 && readers.current().sealed().isEmpty() && pick(shape) instanceof Choice.Rest;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    MergeTask claim() {
        lock.lock();
        try {
            long full = fullCompaction.pending();
            if (full > 0 && running > 0) {
                return null; // whoever finishes last will claim it
            }
            Version version = readers.acquire().version();
            MergeTask task = null;
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

    private @Nullable MergeTask task(Version version, long full) {
        Shape shape = version.shape();
        Choice choice = full > 0 ? picker.all(shape) : pick(shape);
        return switch (choice) {
            case Choice.Rest _ -> {
                fullCompaction.answer(full);
                yield null;
            }
            case Choice.Merge merge -> new MergeTask(version, merge, merge.tables(), full);
            case Choice.Move move -> new MergeTask(version, move, move.tables(), full);
        };
    }

    private Choice pick(Shape shape) {
        return picker.pick(shape, busy, quarantine.tables(), clock.millis());
    }

    /// The task has ended.
    void giveBack(MergeTask task, @Nullable EngineException failure) {
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
}
