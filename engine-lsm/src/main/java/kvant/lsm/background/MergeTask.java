package kvant.lsm.background;

import java.util.List;
import java.util.Set;
import kvant.engine.EngineException;
import kvant.lsm.compaction.CompactionJob;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.compaction.MergePart;
import kvant.lsm.compaction.OutputRange;
import kvant.lsm.compaction.ValueGarbage;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import org.jspecify.annotations.Nullable;

/// A chosen merge, with the tables and the output range that are reserved for it until it is done, and the parts in
/// which threads carry it out:
///
///     unstarted --take--> running --end--> ended
///
/// A failed part ends the task as soon as the running parts have ended too; parts installed by then stay.
final class MergeTask {

    // Constant.
    private final Version version;
    private final Work work;
    private final long fullMerge;
    private final Set<Long> emptied;

    // Guarded by the lock of the claims.
    private int started;
    private int ended;
    private boolean carriedThrough = true;
    private @Nullable EngineException failure;

    /// The work of a task.
    ///
    /// @param choice whose tables no other task may have
    /// @param parts of a merge; none of a move, which is done at once
    /// @param output range into which no other task may bring tables
    record Work(CompactionPlan choice, List<MergePart> parts, OutputRange output) {}

    /// @param version held; not a super version, whose memtables would stay in the heap while a merge runs
    /// @param fullMerge which of those asked for this is; 0 for none
    /// @param emptied numbers of value files that it moves values out of
    MergeTask(Version version, Work work, long fullMerge, Set<Long> emptied) {
        this.version = version;
        this.work = work;
        this.fullMerge = fullMerge;
        this.emptied = emptied;
    }

    Version version() {
        return version;
    }

    CompactionPlan choice() {
        return work.choice();
    }

    List<Long> tables() {
        return work.choice().tables();
    }

    List<MergePart> parts() {
        return work.parts();
    }

    OutputRange output() {
        return work.output();
    }

    long fullMerge() {
        return fullMerge;
    }

    Set<Long> emptied() {
        return emptied;
    }

    // Under the lock of the claims.

    boolean hasUnstarted() {
        return carriedThrough && started < parts().size();
    }

    /// The next part, which the caller carries out.
    MergePart start() {
        return parts().get(started++);
    }

    /// The input bytes of the parts that have not been started.
    long unstartedBytes() {
        return hasUnstarted()
                ? parts().subList(started, parts().size()).stream()
                        .mapToLong(MergePart::bytes)
                        .sum()
                : 0;
    }

    /// Ends a part, or a move.
    ///
    /// @return whether no part of the task is running any more, nor will run
    boolean endPart(boolean done, @Nullable EngineException why) {
        ended++;
        carriedThrough &= done;
        failure = failure == null ? why : failure;
        return ended >= started && !hasUnstarted();
    }

    /// Prevents further parts from starting.
    ///
    /// @return whether no part is running
    boolean abandon() {
        carriedThrough = false;
        return ended >= started;
    }

    /// Whether all parts were completed.
    boolean isCarriedThrough() {
        return carriedThrough;
    }

    /// The failure; null if the task was completed, or one of its tables was quarantined.
    @Nullable
    EngineException failure() {
        return failure;
    }

    /// The remaining edit when all parts are installed, or null.
    @Nullable
    VersionEdit rest() {
        return work.choice() instanceof CompactionPlan.Merge merge ? CompactionJob.end(merge, parts()) : null;
    }

    // The input of the task.

    /// The number of deletions among the records of its tables.
    long deletions() {
        long deletions = 0;
        for (Shape.TableShape table : version.shape().tables(tables())) {
            deletions += table.deletions();
        }
        return deletions;
    }

    /// The approximate bytes of its output, if each deletion hides a value in it.
    long bytesAfterDeletions() {
        long bytes = 0;
        long values = 0;
        for (Shape.TableShape table : version.shape().tables(tables())) {
            bytes += table.bytes();
            values += table.records() - table.deletions();
        }
        return values == 0 ? 0 : (long) ((double) bytes * Math.max(0, values - deletions()) / values);
    }

    /// The most bytes that it moves from value file to value file.
    long movedBytes() {
        if (emptied.isEmpty()) {
            return 0;
        }
        long bytes = 0;
        for (Shape.TableShape table : version.shape().tables(tables())) {
            bytes += ValueGarbage.movedBytes(table, emptied);
        }
        return bytes;
    }

    long inputBytes() {
        return Shape.bytesOf(version.shape().tables(tables()));
    }
}
