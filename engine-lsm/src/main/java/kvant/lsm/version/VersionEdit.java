package kvant.lsm.version;

import java.util.List;

/// One atomic change of what the store consists of.
///
/// @param addedTables tables that are synced and whose names are durable
/// @param removedTables numbers of tables that are no longer part of it
/// @param addedLogs logs that may hold records from now on
/// @param removedLogs numbers of logs whose records are all in tables
/// @param flushedSequence every record up to it is in a table; a smaller number changes nothing
/// @param nextFileNumber no file has had this number or a larger one; a smaller number changes nothing
public record VersionEdit(
        List<TableInfo> addedTables,
        List<Long> removedTables,
        List<LogInfo> addedLogs,
        List<Long> removedLogs,
        long flushedSequence,
        long nextFileNumber) {

    public VersionEdit {
        addedTables = List.copyOf(addedTables);
        removedTables = List.copyOf(removedTables);
        addedLogs = List.copyOf(addedLogs);
        removedLogs = List.copyOf(removedLogs);
    }

    /// A log begins; logs that held nothing end.
    public static VersionEdit logs(LogInfo added, List<Long> removed) {
        return new VersionEdit(List.of(), List.of(), List.of(added), removed, 0, 0);
    }

    /// A memtable became tables; its logs end.
    public static VersionEdit flush(List<TableInfo> tables, List<Long> removedLogs, long flushedSequence) {
        return new VersionEdit(tables, List.of(), List.of(), removedLogs, flushedSequence, 0);
    }

    /// Tables became other tables.
    public static VersionEdit compaction(List<TableInfo> added, List<Long> removed) {
        return new VersionEdit(added, removed, List.of(), List.of(), 0, 0);
    }

    VersionEdit withNextFileNumber(long number) {
        return new VersionEdit(addedTables, removedTables, addedLogs, removedLogs, flushedSequence, number);
    }
}
