package kvant.lsm.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.Storage;
import kvant.lsm.storage.WritableFile;

/// Writes one table, front to back: records go in by ascending key, one version of each.
///
/// Memory is bounded by one block, the index, and eight bytes a record for the filter; the caller starts a
/// new table in time. Belongs to one thread.
public final class TableWriter implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 20;

    /// What a finished table is known by.
    ///
    /// @param bytes size of the file
    /// @param checksum CRC32C of the whole file, seeded with the table's id
    public record Finished(long bytes, int checksum, TableProperties properties) {}

    // Constant.
    private final WritableFile file;
    private final long tableId;
    private final int blockBytes;

    // One thread.
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Checksum wholeFile;
    private final Checksum blockChecksum = new Checksum();
    private final BlockBuilder block = new BlockBuilder();
    private final IndexDescriptor.Builder index = new IndexDescriptor.Builder();
    private final ByteWriter scratch = new ByteWriter(1 << 10);
    private final ExpirySample expiries = new ExpirySample();
    private long[] hashes = new long[1 << 10];
    private long offset;
    private int records;
    private long deletions;
    private long keyBytes;
    private long valueBytes;
    private long firstSequence = Long.MAX_VALUE;
    private long lastSequence;
    private byte[] smallestKey = new byte[0];
    private byte[] lastBlockKey = new byte[0];

    /// Creates the file.
    ///
    /// @param tableId a random number that seeds the checksums
    /// @param blockBytes a data block is finished when it reaches this size
    public TableWriter(Storage storage, String name, long tableId, int blockBytes) throws IOException {
        this.file = storage.create(name);
        this.tableId = tableId;
        this.blockBytes = blockBytes;
        this.wholeFile = new Checksum().seed(tableId);
        TableDescriptor.encodeHeader(scratch);
        put(scratch);
    }

    /// Adds the record that the cursor stands on.
    public void add(RecordCursor record) throws IOException {
        if (records == 0) {
            smallestKey = record.key();
        }
        if (records == hashes.length) {
            hashes = Arrays.copyOf(hashes, records * 2);
        }
        hashes[records++] = BloomFilter.hash(record.keyArray(), record.keyOffset(), record.keyLength());
        long sequence = Tag.sequence(record.tag());
        firstSequence = Math.min(firstSequence, sequence);
        lastSequence = Math.max(lastSequence, sequence);
        deletions += Tag.kind(record.tag()) == Tag.DELETE ? 1 : 0;
        keyBytes += record.keyLength();
        valueBytes += record.valueLength();
        if (Tag.kind(record.tag()) == Tag.PUT_EXPIRING) {
            expiries.add(record.expiresAtMillis(), (long) record.keyLength() + record.valueLength());
        }
        block.add(record);
        if (block.size() >= blockBytes) {
            finishDataBlock();
        }
    }

    public int records() {
        return records;
    }

    /// Bytes in the file and in the current block.
    public long bytes() {
        return offset + block.size();
    }

    /// Writes what a table ends with, and syncs the file. Its name is durable once the caller has synced the
    /// directory.
    public Finished finish() throws IOException {
        byte[] largestKey = block.isEmpty() ? lastBlockKey : block.lastKey();
        if (!block.isEmpty()) {
            finishDataBlock();
        }
        TableProperties properties = new TableProperties(
                records,
                deletions,
                keyBytes,
                valueBytes,
                firstSequence,
                lastSequence,
                expiries.bytes(),
                expiries.medianMillis(),
                smallestKey,
                largestKey);
        ByteWriter section = new ByteWriter(records * 2 + (1 << 10));
        BloomFilter.encode(hashes, records, section);
        BlockHandle filterHandle = putBlock(section);
        section.clear();
        index.encode(section);
        BlockHandle indexHandle = putBlock(section);
        section.clear();
        properties.encode(section);
        BlockHandle propertiesHandle = putBlock(section);
        scratch.clear();
        TableDescriptor.encodeFooter(
                new TableDescriptor.Footer(filterHandle, indexHandle, propertiesHandle, tableId), scratch);
        put(scratch);
        flush();
        file.sync();
        return new Finished(offset, wholeFile.value(), properties);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void finishDataBlock() throws IOException {
        lastBlockKey = block.lastKey();
        index.add(lastBlockKey, putBlock(block.finish()));
        block.clear();
    }

    private BlockHandle putBlock(ByteWriter content) throws IOException {
        BlockHandle handle = new BlockHandle(offset, content.size());
        blockChecksum.seed(TableDescriptor.blockSeed(tableId, offset)).add(content.array(), 0, content.size());
        put(content);
        scratch.clear();
        TableDescriptor.encodeTrailer(blockChecksum, scratch);
        put(scratch);
        return handle;
    }

    private void put(ByteWriter bytes) throws IOException {
        wholeFile.add(bytes.array(), 0, bytes.size());
        offset += bytes.size();
        int from = 0;
        while (from < bytes.size()) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int part = Math.min(bytes.size() - from, buffer.remaining());
            buffer.put(bytes.array(), from, part);
            from += part;
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        file.write(buffer);
        buffer.clear();
    }
}
