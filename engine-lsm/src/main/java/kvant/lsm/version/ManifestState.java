package kvant.lsm.version;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The sum of all edits: which files are part of the store. Not synchronised; its owner guards it.
public final class ManifestState {

    private final SortedMap<Long, TableInfo> tables = new TreeMap<>();
    private final SortedSet<Long> logs = new TreeSet<>();
    private long flushedSequence;
    private long nextFileNumber = 1;

    void apply(VersionEdit edit) {
        edit.removedTables().forEach(tables::remove);
        edit.addedTables().forEach(table -> tables.put(table.number(), table));
        edit.removedLogs().forEach(logs::remove);
        logs.addAll(edit.addedLogs());
        flushedSequence = Math.max(flushedSequence, edit.flushedSequence());
        nextFileNumber = Math.max(nextFileNumber, edit.nextFileNumber());
    }

    /// All of it as one edit: what a new manifest begins with.
    VersionEdit asEdit() {
        return new VersionEdit(tables(), List.of(), List.copyOf(logs), List.of(), flushedSequence, nextFileNumber);
    }

    public List<TableInfo> tables() {
        return new ArrayList<>(tables.values());
    }

    public boolean hasTable(long number) {
        return tables.containsKey(number);
    }

    /// Numbers of the live logs, oldest first.
    public SortedSet<Long> logs() {
        return logs;
    }

    public long flushedSequence() {
        return flushedSequence;
    }

    public long nextFileNumber() {
        return nextFileNumber;
    }
}
