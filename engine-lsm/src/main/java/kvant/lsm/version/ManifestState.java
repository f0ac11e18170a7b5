package kvant.lsm.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.wal.RecordReader;
import org.jspecify.annotations.Nullable;

/// The sum of all edits: which files are part of the store. Any thread may look and take numbers of files, without
/// waiting for an edit that is being written.
public final class ManifestState {

    // Guarded by this.
    private final SortedMap<Long, TableInfo> tables = new TreeMap<>();
    private final NavigableMap<Long, LogInfo> logs = new TreeMap<>();
    private final SortedMap<Long, ValueFileInfo> values = new TreeMap<>();
    private long flushedSequence;
    private long nextFileNumber = 1;
    private boolean edited;

    /// Applies the edit of a record of the manifest.
    ///
    /// @throws EngineException.Corruption when it cannot be decoded
    void apply(RecordReader record) {
        try {
            apply(VersionEditDescriptor.decode(record.reader(), record.header().version()));
        } catch (IndexOutOfBoundsException e) {
            throw record.undecodable(e);
        }
    }

    synchronized void apply(VersionEdit edit) {
        edited = true;
        edit.removedTables().forEach(tables::remove);
        edit.addedTables().forEach(table -> tables.put(table.number(), table));
        edit.removedLogs().forEach(logs::remove);
        edit.addedLogs().forEach(log -> logs.put(log.number(), log));
        edit.removedValues().forEach(values::remove);
        edit.addedValues().forEach(file -> values.put(file.number(), file));
        flushedSequence = Math.max(flushedSequence, edit.flushedSequence());
        nextFileNumber = Math.max(nextFileNumber, edit.nextFileNumber());
    }

    /// Whether there has been an edit.
    synchronized boolean isEdited() {
        return edited;
    }

    /// The whole state as one edit, the first one of a new manifest.
    synchronized VersionEdit asEdit() {
        return new VersionEdit(
                new WrittenRun(tables(), valueFiles()),
                List.of(),
                List.of(),
                List.copyOf(logs.values()),
                List.of(),
                flushedSequence,
                nextFileNumber);
    }

    public synchronized List<TableInfo> tables() {
        return new ArrayList<>(tables.values());
    }

    public synchronized boolean hasTable(long number) {
        return tables.containsKey(number);
    }

    /// By number.
    public synchronized List<ValueFileInfo> valueFiles() {
        return new ArrayList<>(values.values());
    }

    public synchronized boolean hasValueFile(long number) {
        return values.containsKey(number);
    }

    /// Whether a file in the store's directory is not part of it: a table, value file or log that no edit names, or a
    /// file that was begun and not finished.
    public boolean isStray(String file) {
        Long table = FileNames.tableNumber(file);
        Long log = FileNames.logNumber(file);
        Long value = FileNames.valuesNumber(file);
        return table != null && !hasTable(table)
                || value != null && !hasValueFile(value)
                || log != null && log(log) == null
                || file.equals(FileNames.MANIFEST_NEW)
                || file.equals(FileNames.LOG_NEXT);
    }

    /// Numbers of the live logs, oldest first.
    public synchronized SortedSet<Long> logs() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(logs.keySet()));
    }

    /// The live log of this number; null where there is none.
    public synchronized @Nullable LogInfo log(long number) {
        return logs.get(number);
    }

    /// Whether this is the live log of this number, and not another file with its name.
    public synchronized boolean isLog(long number, long id) {
        LogInfo log = logs.get(number);
        return log != null && log.id() == id;
    }

    /// @throws EngineException.Corruption naming a file that is not there
    public void refuseMissingFiles(Storage storage) throws IOException {
        List<String> files = storage.list();
        for (TableInfo table : tables()) {
            refuseMissing(storage, files, FileNames.table(table.number()));
        }
        for (ValueFileInfo file : valueFiles()) {
            refuseMissing(storage, files, FileNames.values(file.number()));
        }
        for (long log : logs()) {
            refuseMissing(storage, files, FileNames.log(log));
        }
    }

    private static void refuseMissing(Storage storage, List<String> files, String name) {
        if (!files.contains(name)) {
            throw new EngineException.Corruption(storage.describe(name), 0, "the file is missing");
        }
    }

    public synchronized long flushedSequence() {
        return flushedSequence;
    }

    public synchronized long nextFileNumber() {
        return nextFileNumber;
    }

    /// A number that no file has had. It is durable with the next edit; a file of it that no edit names is deleted by
    /// the next start.
    synchronized long takeFileNumber() {
        return nextFileNumber++;
    }
}
