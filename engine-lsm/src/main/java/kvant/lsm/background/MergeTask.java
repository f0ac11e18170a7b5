package kvant.lsm.background;

import java.util.List;
import java.util.Set;
import kvant.lsm.compaction.Choice;
import kvant.lsm.compaction.ValueGarbage;
import kvant.lsm.version.Shape;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;

/// A choice, and the tables that no other one may have until it is done.
///
/// @param version held; not a super version, whose memtables would stay in the heap while a merge runs
/// @param fullMerge which of those asked for this is; 0 for none
/// @param emptied numbers of value files that it moves values out of
record MergeTask(Version version, Choice choice, List<Long> tables, long fullMerge, Set<Long> emptied) {

    /// How many records of its tables are deletions.
    long deletions() {
        Shape shape = version.shape();
        long deletions = 0;
        for (long table : tables) {
            deletions += shape.table(table).deletions();
        }
        return deletions;
    }

    /// About how many bytes it will leave, if each deletion hides a value in it.
    long bytesAfterDeletions() {
        Shape shape = version.shape();
        long bytes = 0;
        long values = 0;
        for (long number : tables) {
            Shape.TableShape table = shape.table(number);
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
        Shape shape = version.shape();
        long bytes = 0;
        for (long table : tables) {
            bytes += ValueGarbage.movedBytes(shape.table(table), emptied);
        }
        return bytes;
    }

    List<TableInfo> inputs() {
        return tables.stream().map(version::tableInfo).toList();
    }
}
