package kvant.lsm.version;

import java.util.ArrayList;
import java.util.List;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueFileInfo;

/// The files written for one run: synced, with durable names, and not part of the store yet.
///
/// @param tables by key
/// @param values new value files that the tables refer to, besides older ones
public record WrittenRun(List<TableInfo> tables, List<ValueFileInfo> values) {

    public static final WrittenRun NOTHING = new WrittenRun(List.of(), List.of());

    public WrittenRun {
        tables = List.copyOf(tables);
        values = List.copyOf(values);
    }

    /// A run of tables that hold all of their values.
    public WrittenRun(List<TableInfo> tables) {
        this(tables, List.of());
    }

    public boolean isEmpty() {
        return tables.isEmpty();
    }

    /// Size of all files.
    public long bytes() {
        long bytes = 0;
        for (TableInfo table : tables) {
            bytes += table.bytes();
        }
        for (ValueFileInfo file : values) {
            bytes += file.bytes();
        }
        return bytes;
    }

    /// A number above the numbers of all files and runs: a new run with it is newer than all of them.
    public long nextNumber() {
        long largest = 0;
        for (TableInfo table : tables) {
            largest = Math.max(largest, Math.max(table.number(), table.run()));
        }
        for (ValueFileInfo file : values) {
            largest = Math.max(largest, file.number());
        }
        return largest + 1;
    }

    public WrittenRun plus(WrittenRun other) {
        List<TableInfo> allTables = new ArrayList<>(tables);
        allTables.addAll(other.tables);
        List<ValueFileInfo> allValues = new ArrayList<>(values);
        allValues.addAll(other.values);
        return new WrittenRun(allTables, allValues);
    }
}
