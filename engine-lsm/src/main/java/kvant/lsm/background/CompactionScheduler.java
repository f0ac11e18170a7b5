package kvant.lsm.background;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.FullMerge;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.compaction.MergeUrgency;
import kvant.lsm.compaction.OutputRange;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.ValueGarbage;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.Quarantine;
import kvant.lsm.store.Store;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// The schedule of merges: the running ones and their tables. A task is claimed and its tables are released under one
/// lock, and its version is acquired under that lock, too. So no picker sees a version that still has a table which a
/// finished merge has replaced. For the compaction threads.
///
/// A large merge is divided among several threads, each of which gets a part of it. No new task begins while a part
/// waits for a thread.
///
/// A full merge alternates with ordinary ones, part by part, so that level 0 is merged meanwhile. A merge for which
/// the disk has no room does not begin; a smaller one may. Nor does a merge begin whose output range overlaps that of
/// a running one: it is chosen again by the thread that ends the running one, which immediately looks for more work.
/// If a part waits for this reason, merges in its way do not begin before it.
final class CompactionScheduler {

    /// Most choices examined to find one that may begin.
    private static final int MAX_CHOICES = 8;

    // Constant.
    private final Store store;
    private final SuperVersions readers;
    private final TableInstaller tables;
    private final FullCompaction requests;
    private final Quarantine quarantine;
    private final Picker picker;
    private final int threads;
    private final MergeUrgency urgency;
    private final ValueGarbage garbage;
    private final BooleanSupplier lacksRoom;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Set<Long> busy = new HashSet<>();
    private final Deque<MergeTask> unstarted = new ArrayDeque<>(); // in part
    private final List<MergeTask> running = new ArrayList<>();
    private @Nullable FullMerge full;
    private long fullRequest;
    private long fullBeganNanos;
    private boolean partRuns;
    private boolean partIsNext;
    private @Nullable Awaited awaited; // not null: the part of a full merge that is next waits for what runs

    // Written under the lock, read by anyone.
    private volatile EngineException.@Nullable StorageFull noRoom;

    /// @param lacksRoom whether writes are refused until there is room
    CompactionScheduler(Store store, CompactionOptions options, MergeUrgency urgency, BooleanSupplier lacksRoom) {
        this.store = store;
        this.readers = store.readers();
        this.tables = store.tables();
        this.requests = store.fullCompaction();
        this.quarantine = store.health().quarantine();
        this.picker = options.picker();
        this.threads = options.threads();
        this.urgency = urgency;
        this.garbage = new ValueGarbage(store.options().values().maxSpace());
        this.lacksRoom = lacksRoom;
    }

    /// Whether no merge runs, and none is needed.
    boolean isAtRest() {
        lock.lock();
        try {
            Shape shape = readers.current().version().shape();
            return running.isEmpty()
                    && requests.pending() == 0
                    && readers.current().sealed().isEmpty()
                    && pick(shape, busy) instanceof CompactionPlan.Rest;
        } finally {
            lock.unlock();
        }
    }

    /// Why a merge that is due has not been begun, as of the last claim; null when none was held back.
    EngineException.@Nullable StorageFull noRoom() {
        return noRoom;
    }

    /// A part of a task, which one thread carries out.
    ///
    /// @param part null of a move, which has none
    record Claim(MergeTask task, @Nullable MergePart part) {}

    @Nullable
    Claim claim() {
        lock.lock();
        try {
            MergeTask task = unstarted.isEmpty() ? claimTask() : unstarted.getFirst();
            if (task == null) {
                return null;
            }
            MergePart part = task.hasUnstarted() ? task.start() : null;
            unstarted.remove(task);
            if (task.hasUnstarted()) {
                unstarted.addFirst(task);
            }
            return new Claim(task, part);
        } finally {
            lock.unlock();
        }
    }

    /// Claims the next task, with all of its parts.
    private @Nullable MergeTask claimTask() {
        Version version = readers.acquireVersion();
        MergeTask task = null;
        try {
            task = choose(version);
        } finally {
            if (task == null) {
                version.release(); // without waking anyone: two threads would keep each other awake
            }
        }
        if (task != null) {
            busy.addAll(task.tables());
            running.add(task);
            partRuns |= task.fullMerge() > 0;
            partIsNext = task.fullMerge() == 0;
        }
        return task;
    }

    /// A part of a full merge and an ordinary merge take turns, where there are both; while level 0 is long, ordinary
    /// merges go first.
    private @Nullable MergeTask choose(Version version) {
        Shape shape = version.shape();
        boolean partFirst = partIsNext && !isUrgent(shape);
        MergeTask first = partFirst ? part(version, shape) : ordinary(version, shape);
        if (first != null) {
            return first;
        }
        return partFirst ? ordinary(version, shape) : part(version, shape);
    }

    private @Nullable MergeTask ordinary(Version version, Shape shape) {
        noRoom = null;
        Set<Long> taken = new HashSet<>(busy);
        if (full != null && picker.raisesRuns()) {
            shape.runs().stream()
                    .filter(full::holds)
                    .forEach(run -> run.tables().forEach(table -> taken.add(table.number())));
        }
        for (int i = 0; i < MAX_CHOICES; i++) {
            CompactionPlan choice = pick(shape, taken);
            if (choice instanceof CompactionPlan.Rest && lacksRoom.getAsBoolean()) {
                choice = picker.makeRoom(shape, taken, quarantine.tables());
            }
            MergeTask task = task(version, shape, choice, 0);
            if (task == null) {
                return null;
            }
            if (!hasToWait(task) && !isInWayOfPart(task, shape)) {
                EngineException.StorageFull refusal = refuseRoom(task);
                if (refusal == null) {
                    return task;
                }
                noRoom = refusal;
            }
            taken.addAll(task.tables());
        }
        return null;
    }

    /// The output range and tables of a part of a full merge that has to wait.
    private record Awaited(OutputRange output, List<Long> tables) {

        boolean isMetBy(MergeTask task) {
            return output.overlaps(task.output()) || !Collections.disjoint(tables, task.tables());
        }
    }

    /// Otherwise the part might wait for ever, for one merge after another. Level 0 comes first, as always.
    private boolean isInWayOfPart(MergeTask task, Shape shape) {
        Awaited part = awaited;
        return part != null && part.isMetBy(task) && !isUrgent(shape);
    }

    private boolean isUrgent(Shape shape) {
        return urgency.of(shape.levelZero().size(), 0) >= 1;
    }

    /// Whether a running task overlaps. Pickers see existing tables only, and not those being written around them.
    private boolean hasToWait(MergeTask task) {
        for (MergeTask other : running) {
            if (other.output().overlaps(task.output())) {
                return true;
            }
        }
        return false;
    }

    /// Value files are emptied when nothing else is to be done: ordinary merges move most of it, and know
    /// more garbage when they end.
    private CompactionPlan pick(Shape shape, Set<Long> taken) {
        CompactionPlan choice = picker.pick(
                shape, taken, quarantine.tables(), store.options().clock().millis());
        return choice instanceof CompactionPlan.Rest ? garbage.pick(shape, taken, quarantine.tables()) : choice;
    }

    private @Nullable MergeTask part(Version version, Shape shape) {
        if (partRuns) {
            return null;
        }
        FullMerge merge = fullMerge(shape);
        if (merge == null) {
            return null;
        }
        CompactionPlan choice = merge.next(shape, busy, quarantine.tables());
        requests.report(new FullCompaction.Progress(merge.doneBytes(), merge.leftBytes(shape), fullBeganNanos));
        MergeTask task = task(version, shape, choice, fullRequest);
        awaited = null;
        if (task != null && hasToWait(task)) {
            awaited = new Awaited(task.output(), task.tables());
            return null; // the same part is next when it need not wait any more
        }
        EngineException.StorageFull refusal = task == null ? null : refuseRoom(task);
        if (refusal != null) {
            endFull(refusal);
            return null;
        }
        if (merge.isDone()) {
            endFull(merge.hasSkipped() ? leftOut() : null);
        }
        return task;
    }

    /// Why a full merge has left tables out. Nothing is known of one that was only suspected, or can be read by now.
    private EngineException leftOut() {
        EngineException damage = quarantine.reason();
        return damage != null
                ? damage
                : new EngineException.Busy(
                        "some tables were left out, because they could not be read for a while: compact again");
    }

    /// The running full merge, or a new one if one has been requested.
    private @Nullable FullMerge fullMerge(Shape shape) {
        long pending = requests.pending();
        if (full == null && pending > 0) {
            FullMerge begun = picker.all(shape);
            full = begun;
            fullRequest = pending;
            fullBeganNanos = System.nanoTime();
            EngineException.StorageFull refusal = tables.refuseRoom(begun.largestPartBytes(shape));
            if (refusal != null) {
                endFull(refusal);
            }
        }
        return full;
    }

    private void endFull(@Nullable EngineException failure) {
        full = null;
        awaited = null;
        if (failure == null) {
            requests.answer(fullRequest);
        } else {
            requests.fail(fullRequest, failure);
        }
    }

    private @Nullable MergeTask task(Version version, Shape shape, CompactionPlan picked, long request) {
        CompactionPlan choice = picked instanceof CompactionPlan.Move move
                ? CompactionJob.movedOrWritten(version, move, store.options().table())
                : picked;
        return switch (choice) {
            case CompactionPlan.Rest _ -> null;
            case CompactionPlan.Merge merge ->
                new MergeTask(
                        version,
                        shape,
                        merge,
                        MergePart.split(
                                shape, merge, threads, store.options().table().tableBytes()),
                        request,
                        garbage.victims(shape, quarantine.tables()));
            case CompactionPlan.Move move -> new MergeTask(version, shape, move, List.of(), request, Set.of());
        };
    }

    /// Checks the disk's room for a task; bytes still to be written by running merges count too.
    private EngineException.@Nullable StorageFull refuseRoom(MergeTask task) {
        if (!(task.choice() instanceof CompactionPlan.Merge)) {
            return null;
        }
        long unmergedBytes = store.figures().unmergedBytes()
                + unstarted.stream().mapToLong(MergeTask::unstartedBytes).sum();
        EngineException.StorageFull refusal = tables.refuseRoom(unmergedBytes + task.movedBytes() + task.inputBytes());
        return refusal != null && task.deletions() > 0
                ? tables.refuseRoomForDeletions(unmergedBytes + task.bytesAfterDeletions())
                : refusal;
    }

    /// Ends a part.
    ///
    /// @param failure null where it was completed, or where a table of it was quarantined
    /// @param carriedThrough false when it has to be repeated without such a table
    /// @return whether it was the last one, so that the caller ends the task by [#giveBack]
    boolean endPart(MergeTask task, boolean carriedThrough, @Nullable EngineException failure) {
        lock.lock();
        try {
            boolean isLast = task.endPart(carriedThrough, failure);
            if (!task.hasUnstarted()) {
                unstarted.remove(task);
            }
            return isLast;
        } finally {
            lock.unlock();
        }
    }

    /// Prevents further parts from starting, because the engine is being closed.
    ///
    /// @return a task without running parts, which the caller ends; or null
    @Nullable
    MergeTask abandon() {
        lock.lock();
        try {
            for (MergeTask task = unstarted.poll(); task != null; task = unstarted.poll()) {
                if (task.abandon()) {
                    return task;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /// Ends a task after all of its parts.
    ///
    /// @param carriedThrough whether all of it is done
    /// @param failure null where it was completed, or where a table of it was quarantined
    void giveBack(MergeTask task, boolean carriedThrough, @Nullable EngineException failure) {
        lock.lock();
        try {
            task.tables().forEach(busy::remove);
            running.remove(task);
            FullMerge merge = full;
            if (task.fullMerge() > 0) {
                partRuns = false;
                if (failure != null) {
                    endFull(failure);
                } else if (carriedThrough && merge != null) {
                    merge.partDone();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
