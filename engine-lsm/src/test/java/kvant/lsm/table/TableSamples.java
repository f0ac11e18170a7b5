package kvant.lsm.table;

import java.io.IOException;
import java.util.List;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.Storage;

/// Writes tables of given records.
public final class TableSamples {

    public static final String FILE = "00000001.table";
    public static final long ID = 0x0123_4567_89AB_CDEFL;

    private TableSamples() {}

    public static Entry put(byte[] key, long sequence, byte[] value) {
        return new Entry(key, Tag.of(sequence, Tag.PUT), value);
    }

    public static TableWriter.Finished write(Storage storage, String file, int blockBytes, List<Entry> entries)
            throws IOException {
        return write(storage, file, blockBytes, Compression.NONE, entries);
    }

    public static TableWriter.Finished write(
            Storage storage, String file, int blockBytes, Compression compression, List<Entry> entries)
            throws IOException {
        try (TableWriter writer = new TableWriter(storage, file, ID, blockBytes, compression)) {
            ListCursor records = new ListCursor(entries);
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                writer.add(records);
            }
            return writer.finish();
        }
    }

    public static Table table(Storage storage, int blockBytes, List<Entry> entries) throws IOException {
        TableWriter.Finished finished = write(storage, FILE, blockBytes, entries);
        return Table.open(storage, FILE, ID, finished.bytes());
    }
}
