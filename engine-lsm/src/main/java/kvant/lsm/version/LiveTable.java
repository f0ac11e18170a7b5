package kvant.lsm.version;

import kvant.lsm.storage.FileNames;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;

/// An open table as a member of a run.
final class LiveTable extends LiveFile {

    private final TableInfo info;
    private final Table table;

    LiveTable(TableInfo info, Table table) {
        super(info.number(), info.bytes(), FileNames.table(info.number()), table);
        this.info = info;
        this.table = table;
    }

    private LiveTable(TableInfo info, LiveTable same) {
        super(same);
        this.info = info;
        this.table = same.table;
    }

    /// The same table as a member of another run.
    LiveTable moved(TableInfo newInfo) {
        return new LiveTable(newInfo, this);
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
}
