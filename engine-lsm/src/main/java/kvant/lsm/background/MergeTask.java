package kvant.lsm.background;

import java.util.List;
import kvant.lsm.compaction.Choice;
import kvant.lsm.version.TableInfo;
import kvant.lsm.version.Version;

/// A choice, and the tables that no other one may have until it is done.
///
/// @param version held; not a super version, whose memtables would stay in the heap while a merge runs
/// @param fullMerge which of those asked for this is; 0 for none
record MergeTask(Version version, Choice choice, List<Long> tables, long fullMerge) {

    List<TableInfo> inputs() {
        return tables.stream().map(version::tableInfo).toList();
    }
}
