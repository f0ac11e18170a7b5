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

/// A choice, the tables and the output range that no other one may have until it is done, and the parts in
/// which threads carry it out:
///
///     unstarted --take--> running --end--> ended
///
/// A part that fails ends the task as soon as the parts that run have ended too; what is installed by then stays.
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

    /// What is to be done.
    ///
    /// @param choice whose tables no other task may have
    /// @param parts of a merge; none of a move, which is done at once
    /// @param output where no other task may bring tables
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

    /// What the parts read that nobody has started.
    long unstartedBytes() {
        return hasUnstarted()
                ? parts().subList(started, parts().size()).stream()
                        .mapToLong(MergePart::bytes)
                        .sum()
                : 0;
    }

    /// A part, or a move, has ended.
    ///
    /// @return whether nothing of the task is going on any more, nor will
    boolean endPart(boolean done, @Nullable EngineException why) {
        ended++;
        carriedThrough &= done;
        failure = failure == null ? why : failure;
        return ended >= started && !hasUnstarted();
    }

    /// No part is to be started any more.
    ///
    /// @return whether none goes on
    boolean abandon() {
        carriedThrough = false;
        return ended >= started;
    }

    /// Whether all parts were done.
    boolean isCarriedThrough() {
        return carriedThrough;
    }

    /// Null where it was carried through, or where a table of it was set aside.
    @Nullable
    EngineException failure() {
        return failure;
    }

    /// What is left to do when all parts are installed, or null.
    @Nullable
    VersionEdit rest() {
        return work.choice() instanceof CompactionPlan.Merge merge ? CompactionJob.end(merge, parts()) : null;
    }

    // Of what it works on.

    /// How many records of its tables are deletions.
    long deletions() {
        long deletions = 0;
        for (Shape.TableShape table : version.shape().tables(tables())) {
            deletions += table.deletions();
        }
        return deletions;
    }

    /// About how many bytes it will leave, if each deletion hides a value in it.
    long bytesAfterDeletions() {
        long bytes = 0;
        long values = 0;
        for (Shape.TableShape table : version.shape().tables(tables())) {
            bytes += table.bytes();
            values += table.records() - table.deletions();
        }
        return values == 0 ? 0 : (long) ((double) bytes * Math.max(0, values - deletions()) / values);
    }

    /// How many bytes it moves from value file to value file, at most.
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
