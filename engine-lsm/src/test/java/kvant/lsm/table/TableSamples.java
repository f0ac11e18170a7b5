package kvant.lsm.table;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
        return open(storage, ID, finished.bytes());
    }

    /// The table in [#FILE], sharing no state with others.
    ///
    /// @param id that a manifest would name
    public static Table open(Storage storage, long id, long bytes) throws IOException {
        return Table.open(map(storage, id, bytes), new TableContext(0));
    }

    static TableFile map(Storage storage, long id, long bytes) throws IOException {
        return TableFile.map(storage, new TableInfo(1, 1, id, bytes, 0, 0, List.of()));
    }

    /// The places of the partitions of a table.
    static List<BlockHandle> partitions(byte[] file) {
        MemorySegment segment = MemorySegment.ofArray(file);
        return entries(
                content(segment, TableDescriptor.decodeFooter(segment, FILE).index()));
    }

    /// The places of the data blocks of a table.
    static List<BlockHandle> blocks(byte[] file) {
        MemorySegment segment = MemorySegment.ofArray(file);
        List<BlockHandle> blocks = new ArrayList<>();
        for (BlockHandle partition : partitions(file)) {
            blocks.addAll(entries(PartitionDescriptor.index(content(segment, partition))));
        }
        return blocks;
    }

    private static List<BlockHandle> entries(MemorySegment index) {
        return IntStream.range(0, IndexDescriptor.count(index))
                .mapToObj(entry -> IndexDescriptor.handle(index, entry))
                .toList();
    }

    private static MemorySegment content(MemorySegment file, BlockHandle handle) {
        return file.asSlice(handle.offset(), handle.length());
    }
}
