package kvant.lsm.version;

import java.util.concurrent.atomic.AtomicInteger;
import kvant.lsm.table.Table;

/// An open table and the number of versions that hold it. At zero its file may go.
final class LiveTable {

    private final TableInfo info;
    private final Table table;
    private final AtomicInteger versions = new AtomicInteger();

    LiveTable(TableInfo info, Table table) {
        this.info = info;
        this.table = table;
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
