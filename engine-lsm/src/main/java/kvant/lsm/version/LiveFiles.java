package kvant.lsm.version;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import kvant.lsm.storage.Storage;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableFile;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;

/// Tables and value files that have been opened together: all of them or none.
record LiveFiles(List<LiveTable> tables, List<LiveValues> values) implements AutoCloseable {

    static LiveFiles open(Storage storage, List<TableInfo> infos, List<ValueFileInfo> files, TableContext context)
            throws IOException {
        LiveFiles live = new LiveFiles(new ArrayList<>(infos.size()), new ArrayList<>(files.size()));
        Queue<TableFile> mapped = new ArrayDeque<>(infos.size() + 1); // and not opened yet; never grows
        boolean opened = false;
        try {
            for (TableInfo info : infos) {
                mapped.add(TableFile.map(storage, info));
            }
            for (TableInfo info : infos) {
                live.tables.add(new LiveTable(info, Table.open(mapped.remove(), context)));
            }
            for (ValueFileInfo info : files) {
                live.values.add(new LiveValues(info, ValueFile.open(storage, info)));
            }
            opened = true;
            return live;
        } finally {
            if (!opened) { // an error too, of memory that mapping them needs
                mapped.forEach(TableFile::close);
                live.close();
            }
        }
    }

    @Override
    public void close() {
        tables.forEach(LiveFile::close);
        values.forEach(LiveFile::close);
    }
}
