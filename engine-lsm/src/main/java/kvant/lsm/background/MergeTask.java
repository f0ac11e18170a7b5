package kvant.lsm.background;

import java.util.List;
import kvant.lsm.compaction.Choice;
import kvant.lsm.version.Shape;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;

/// A choice, and the tables that no other one may have until it is done.
///
/// @param version held; not a super version, whose memtables would stay in the heap while a merge runs
/// @param fullMerge which of those asked for this is; 0 for none
record MergeTask(Version version, Choice choice, List<Long> tables, long fullMerge) {

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

    List<TableInfo> inputs() {
        return tables.stream().map(version::tableInfo).toList();
    }
}
