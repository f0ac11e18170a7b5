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
    private final CompactionPlan choice;
    private final List<MergePart> parts;
    private final OutputRange output;
    private final List<Shape.TableShape> inputs;
    private final long fullMerge;
    private final Set<Long> emptied;

    // Guarded by the lock of the claims.
    private int started;
    private int ended;
    private boolean carriedThrough = true;
    private @Nullable EngineException failure;

    /// @param version held; not a super version, whose memtables would stay in the heap while a merge runs
    /// @param shape of the version
    /// @param choice whose tables no other task may have
    /// @param parts of a merge; none of a move, which is done at once
    /// @param fullMerge which of those asked for this is; 0 for none
    /// @param emptied numbers of value files that it moves values out of
    MergeTask(
            Version version,
            Shape shape,
            CompactionPlan choice,
            List<MergePart> parts,
            long fullMerge,
            Set<Long> emptied) {
        this.version = version;
        this.choice = choice;
        this.parts = parts;
        this.output = OutputRange.of(shape, choice);
        this.inputs = shape.tables(choice.tables());
        this.fullMerge = fullMerge;
        this.emptied = emptied;
    }

    Version version() {
        return version;
    }

    CompactionPlan choice() {
        return choice;
    }

    List<Long> tables() {
        return choice.tables();
    }

    List<MergePart> parts() {
        return parts;
    }

    /// The range into which no other task may bring tables.
    OutputRange output() {
        return output;
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
        return choice instanceof CompactionPlan.Merge merge ? CompactionJob.end(merge, parts()) : null;
    }

    // The input of the task.

    /// The number of deletions among the records of its tables.
    long deletions() {
        return inputs.stream().mapToLong(Shape.TableShape::deletions).sum();
    }

    /// The approximate bytes of its output, if each deletion hides a value in it.
    long bytesAfterDeletions() {
        long values = inputs.stream().mapToLong(Shape.TableShape::records).sum() - deletions();
        return values == 0 ? 0 : (long) ((double) inputBytes() * Math.max(0, values - deletions()) / values);
    }

    /// The most bytes that it moves from value file to value file.
    long movedBytes() {
        return inputs.stream()
                .mapToLong(table -> ValueGarbage.movedBytes(table, emptied))
                .sum();
    }

    long inputBytes() {
        return Shape.bytesOf(inputs);
    }
}
