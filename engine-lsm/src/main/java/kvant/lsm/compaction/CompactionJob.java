package kvant.lsm.compaction;

import java.io.IOException;
import java.util.List;
import kvant.lsm.record.MergingCursor;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.SurvivorCursor;
import kvant.lsm.version.Run;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;
import kvant.lsm.version.VersionEdit;

/// Merges neighbouring runs of a version into one.
public final class CompactionJob {

    private CompactionJob() {}

    /// Writes the merged run. It takes the place of its newest input, so that the order of the others stays
    /// right.
    ///
    /// A deletion is dropped only when the oldest run of all is among the inputs: then nothing that it hides
    /// is left.
    ///
    /// @param version held by the caller
    /// @return what is to be applied
    public static VersionEdit run(Version version, Choice.Merge merge, long nowMillis, RunWriter writer)
            throws IOException {
        List<Run> inputs = version.runs().subList(merge.first(), merge.first() + merge.count());
        boolean bottom = merge.first() + merge.count() == version.runs().size();
        List<RecordCursor> cursors = inputs.stream().map(Run::cursor).toList();
        List<TableInfo> merged = writer.write(
                new SurvivorCursor(new MergingCursor(cursors), bottom, nowMillis),
                inputs.getFirst().id());
        List<Long> removed = inputs.stream()
                .flatMap(run -> run.tableInfos().stream())
                .map(TableInfo::number)
                .toList();
        return VersionEdit.compaction(merged, removed);
    }
}
