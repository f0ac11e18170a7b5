package kvant.lsm.version;

import java.util.List;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueFileInfo;

/// One atomic change of the store's files.
///
/// @param added tables and value files that are synced and whose names are durable
/// @param removedTables numbers of tables that are no longer part of it
/// @param removedValues numbers of value files that no table refers to any more
/// @param addedLogs logs that may hold records from now on, and known ones that are finished
/// @param removedLogs numbers of logs whose records are all in tables
/// @param flushedSequence every record up to it is in a table; a smaller number changes nothing
/// @param nextFileNumber no file has had this number or a larger one; a smaller number changes nothing
public record VersionEdit(
        WrittenRun added,
        List<Long> removedTables,
        List<Long> removedValues,
        List<LogInfo> addedLogs,
        List<Long> removedLogs,
        long flushedSequence,
        long nextFileNumber) {

    public VersionEdit {
        removedTables = List.copyOf(removedTables);
        removedValues = List.copyOf(removedValues);
        addedLogs = List.copyOf(addedLogs);
        removedLogs = List.copyOf(removedLogs);
    }

    /// A log begins; logs that held nothing end.
    public static VersionEdit logs(LogInfo added, List<Long> removed) {
        return ofLogs(List.of(added), removed);
    }

    /// A log begins behind one that is finished.
    public static VersionEdit logChanged(LogInfo finished, LogInfo added) {
        return ofLogs(List.of(finished, added), List.of());
    }

    /// An edit for a finished log without a successor.
    public static VersionEdit logFinished(LogInfo finished) {
        return logs(finished, List.of());
    }

    /// Logs end that hold nothing, or nothing that is not in tables.
    public static VersionEdit logsEnded(List<Long> removed) {
        return ofLogs(List.of(), removed);
    }

    private static VersionEdit ofLogs(List<LogInfo> added, List<Long> removed) {
        return new VersionEdit(WrittenRun.NOTHING, List.of(), List.of(), added, removed, 0, 0);
    }

    /// A memtable became a run; its logs end.
    public static VersionEdit flush(WrittenRun run, List<Long> removedLogs, long flushedSequence) {
        return new VersionEdit(run, List.of(), List.of(), List.of(), removedLogs, flushedSequence, 0);
    }

    /// Tables became other tables.
    public static VersionEdit compaction(WrittenRun run, List<Long> removed) {
        return new VersionEdit(run, removed, List.of(), List.of(), List.of(), 0, 0);
    }

    /// Tables became other tables, without new value files.
    public static VersionEdit compaction(List<TableInfo> added, List<Long> removed) {
        return compaction(new WrittenRun(added), removed);
    }

    public List<TableInfo> addedTables() {
        return added.tables();
    }

    List<ValueFileInfo> addedValues() {
        return added.values();
    }

    VersionEdit withNextFileNumber(long number) {
        return new VersionEdit(added, removedTables, removedValues, addedLogs, removedLogs, flushedSequence, number);
    }

    VersionEdit withRemovedValues(List<Long> removed) {
        return new VersionEdit(added, removedTables, removed, addedLogs, removedLogs, flushedSequence, nextFileNumber);
    }
}
