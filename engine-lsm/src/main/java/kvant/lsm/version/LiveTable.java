package kvant.lsm.version;

import java.util.concurrent.atomic.AtomicInteger;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableProperties;

/// An open table as a member of a run, and the number of versions that hold it in any run. At zero its file may be
/// deleted.
final class LiveTable {

    private final TableInfo info;
    private final Table table;
    private final AtomicInteger versions;

    LiveTable(TableInfo info, Table table) {
        this(info, table, new AtomicInteger());
    }

    private LiveTable(TableInfo info, Table table, AtomicInteger versions) {
        this.info = info;
        this.table = table;
        this.versions = versions;
    }

    /// The same table as a member of another run. Both are counted together.
    LiveTable moved(TableInfo newInfo) {
        return new LiveTable(newInfo, table, versions);
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

    void acquire() {
        versions.incrementAndGet();
    }

    /// @return whether this was the last one
    boolean release() {
        return versions.decrementAndGet() == 0;
    }
}
