package kvant.lsm.version;

import java.util.List;
import kvant.lsm.value.ValueFileInfo;

/// One atomic change of the store's files.
///
/// @param addedTables tables that are synced and whose names are durable
/// @param removedTables numbers of tables that are no longer part of it
/// @param addedLogs logs that may hold records from now on, and known ones that are finished
/// @param removedLogs numbers of logs whose records are all in tables
/// @param flushedSequence every record up to it is in a table; a smaller number changes nothing
/// @param nextFileNumber no file has had this number or a larger one; a smaller number changes nothing
/// @param values changes of the value files
public record VersionEdit(
        List<TableInfo> addedTables,
        List<Long> removedTables,
        List<LogInfo> addedLogs,
        List<Long> removedLogs,
        long flushedSequence,
        long nextFileNumber,
        Values values) {

    /// Changes of the value files.
    ///
    /// @param added that are synced and whose names are durable
    /// @param removed numbers of those that no table refers to any more
    public record Values(List<ValueFileInfo> added, List<Long> removed) {

        static final Values NONE = new Values(List.of(), List.of());

        public Values {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }
    }

    public VersionEdit {
        addedTables = List.copyOf(addedTables);
        removedTables = List.copyOf(removedTables);
        addedLogs = List.copyOf(addedLogs);
        removedLogs = List.copyOf(removedLogs);
    }

    /// An edit that changes no value file.
    public VersionEdit(
            List<TableInfo> addedTables,
            List<Long> removedTables,
            List<LogInfo> addedLogs,
            List<Long> removedLogs,
            long flushedSequence,
            long nextFileNumber) {
        this(addedTables, removedTables, addedLogs, removedLogs, flushedSequence, nextFileNumber, Values.NONE);
    }

    /// A log begins; logs that held nothing end.
    public static VersionEdit logs(LogInfo added, List<Long> removed) {
        return new VersionEdit(List.of(), List.of(), List.of(added), removed, 0, 0);
    }

    /// A log begins behind one that is finished.
    public static VersionEdit logChanged(LogInfo finished, LogInfo added) {
        return new VersionEdit(List.of(), List.of(), List.of(finished, added), List.of(), 0, 0);
    }

    /// An edit for a finished log without a successor.
    public static VersionEdit logFinished(LogInfo finished) {
        return logs(finished, List.of());
    }

    /// Logs end that hold nothing, or nothing that is not in tables.
    public static VersionEdit logsEnded(List<Long> removed) {
        return new VersionEdit(List.of(), List.of(), List.of(), removed, 0, 0);
    }

    /// A memtable became a run; its logs end.
    public static VersionEdit flush(WrittenRun run, List<Long> removedLogs, long flushedSequence) {
        return new VersionEdit(
                run.tables(),
                List.of(),
                List.of(),
                removedLogs,
                flushedSequence,
                0,
                new Values(run.values(), List.of()));
    }

    /// A memtable became tables that hold all of their values; its logs end.
    public static VersionEdit flush(List<TableInfo> tables, List<Long> removedLogs, long flushedSequence) {
        return flush(new WrittenRun(tables), removedLogs, flushedSequence);
    }

    /// Tables became other tables.
    public static VersionEdit compaction(WrittenRun run, List<Long> removed) {
        return new VersionEdit(run.tables(), removed, List.of(), List.of(), 0, 0, new Values(run.values(), List.of()));
    }

    /// Tables became other tables, without new value files.
    public static VersionEdit compaction(List<TableInfo> added, List<Long> removed) {
        return compaction(new WrittenRun(added), removed);
    }

    VersionEdit withNextFileNumber(long number) {
        return new VersionEdit(addedTables, removedTables, addedLogs, removedLogs, flushedSequence, number, values);
    }

    VersionEdit withValues(Values changed) {
        return new VersionEdit(
                addedTables, removedTables, addedLogs, removedLogs, flushedSequence, nextFileNumber, changed);
    }

    /// The run written for this edit.
    public WrittenRun written() {
        return new WrittenRun(addedTables, values.added());
    }
}
