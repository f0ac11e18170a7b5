package kvant.lsm.version;

import kvant.lsm.table.Table;
import kvant.lsm.table.TableProperties;

/// An open table as a member of a run, and who holds it in any run.
final class LiveTable {

    private final TableInfo info;
    private final Table table;
    private final FileHolders holders;

    LiveTable(TableInfo info, Table table) {
        this(info, table, new FileHolders());
    }

    private LiveTable(TableInfo info, Table table, FileHolders holders) {
        this.info = info;
        this.table = table;
        this.holders = holders;
    }

    /// The same table as a member of another run. Both are counted together.
    LiveTable moved(TableInfo newInfo) {
        return new LiveTable(newInfo, table, holders);
    }

    Shape.TableShape shape() {
        TableProperties properties = table.properties();
        return new Shape.TableShape(
                info.number(),
                properties.smallestKey(),
                properties.largestKey(),
                info.bytes(),
                properties.records(),
                properties.deletions(),
                properties.expiringBytes(),
                properties.medianExpiryMillis(),
                info.values());
    }

    TableInfo info() {
        return info;
    }

    Table table() {
        return table;
    }

    FileHolders holders() {
        return holders;
    }
}
