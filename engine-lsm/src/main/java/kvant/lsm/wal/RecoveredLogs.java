package kvant.lsm.wal;

import java.util.List;

/// The logs that a start found, for the log that follows them.
///
/// @param end where the last log ends that stays
/// @param inMemtable logs whose records are in the active memtable
/// @param empty logs that the manifest names but that hold nothing
public record RecoveredLogs(FileHeader.Predecessor end, List<Long> inMemtable, List<Long> empty) {

    public static final RecoveredLogs NONE = new RecoveredLogs(FileHeader.Predecessor.NONE, List.of(), List.of());
}
