package kvant.lsm.compaction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import kvant.lsm.record.CompactionIterator;
import kvant.lsm.record.MergingCursor;
import kvant.lsm.record.RangeCursor;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.TableCuts;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;
import org.jspecify.annotations.Nullable;

/// Carries out a choice: writes the new tables, and returns the edit to apply.
public final class CompactionJob {

    private CompactionJob() {}

    /// Merges one part of a merge. Of each key the newest version is left; a deletion only where an older table
    /// outside of the merge may hold the key that it hides.
    ///
    /// @param version held by the caller
    public static VersionEdit merge(
            Version version, CompactionPlan.Merge merge, MergePart part, long nowMillis, RunWriter writer)
            throws IOException {
        List<RecordCursor> cursors = new ArrayList<>();
        for (CompactionPlan.Input input : merge.inputs()) {
            cursors.add(version.checkingCursor(input.run(), input.tables()));
        }
        RecordCursor merged = new MergingCursor(cursors);
        CompactionIterator survivors = new CompactionIterator(
                part.isWhole() ? merged : new RangeCursor(merged, part.from(), part.to()),
                version.olderRecords(merge.outputRun(), new HashSet<>(merge.tables())),
                nowMillis);
        TableCuts cuts = new TableCuts(
                writer.options().tableBytes(), merge.cuts(), version.shape().beneath(merge.outputRun()));
        return VersionEdit.compaction(writer.write(survivors, merge.outputRun(), cuts), part.replaced());
    }

    /// The remaining edit when all parts are installed.
    ///
    /// @return null when nothing remains
    public static @Nullable VersionEdit end(CompactionPlan.Merge merge, List<MergePart> parts) {
        List<Long> left = new ArrayList<>(merge.tables());
        parts.forEach(part -> left.removeAll(part.replaced()));
        return left.isEmpty() ? null : VersionEdit.compaction(List.of(), left);
    }

    /// Turns a move into a merge where necessary: tables whose blocks have another compression in their new level are
    /// rewritten. Otherwise data that arrives in key order, which is only moved down, would keep the compression of
    /// level 0.
    public static CompactionPlan movedOrWritten(Version version, CompactionPlan.Move move, TableOptions options) {
        if (move.tables().stream().allMatch(table -> version.mayMove(table, move.outputRun(), options))) {
            return move;
        }
        long run = version.tableInfo(move.tables().getFirst()).run();
        return new CompactionPlan.Merge(List.of(new CompactionPlan.Input(run, move.tables())), move.outputRun());
    }

    /// Makes tables part of another run, without rewriting a file.
    ///
    /// @param version held by the caller
    public static VersionEdit move(Version version, CompactionPlan.Move move) {
        List<TableInfo> moved = new ArrayList<>();
        for (long number : move.tables()) {
            moved.add(version.tableInfo(number).inRun(move.outputRun()));
        }
        return VersionEdit.compaction(moved, move.tables());
    }
}
