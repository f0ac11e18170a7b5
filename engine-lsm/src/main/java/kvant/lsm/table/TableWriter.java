package kvant.lsm.table;

import java.io.IOException;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Keys;
import kvant.lsm.bytes.Opened;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.ChecksummedOutput;
import kvant.lsm.storage.Storage;

/// Writes one table, front to back: records go in by ascending key, one version of each.
///
/// Memory is bounded by one block of [#LARGE_VALUE_BYTES], one partition and the index of the partitions; the caller
/// starts a new table in time. A larger value goes from where it lies into the file, in pieces. Belongs to one thread.
public final class TableWriter implements AutoCloseable {

    private static final int PAGE_BYTES = 4 << 10;

    /// A partition is finished when a get needs this much memory for it. Hot keys that are spread over a store need
    /// one each, so they are small; but reading one from a disk takes as long for 4 KiB as for less.
    private static final int PARTITION_BYTES = 4 << 10;

    /// Bytes by which a block may exceed its intended size, to end where a page ends.
    private static final int PAGE_SLACK_BYTES = PAGE_BYTES / 8;

    /// A longer value is a block of its own, which is never compressed.
    static final int LARGE_VALUE_BYTES = CompressedContent.LARGEST_BYTES;

    private static final int PIECE_BYTES = 64 << 10;

    /// A finished table, for the manifest.
    ///
    /// @param bytes size of the file
    /// @param checksum CRC32C of the whole file, seeded with the table's id
    public record Finished(long bytes, int checksum, TableProperties properties) {}

    // Constant.
    private final ChecksummedOutput out;
    private final long tableId;
    private final int blockBytes;
    private final CompressedContent.Compressor compressor;

    // One thread.
    private final Checksum blockChecksum = new Checksum();
    private final BlockBuilder block = new BlockBuilder();
    private final PartitionDescriptor.Builder partition = new PartitionDescriptor.Builder();
    private final IndexDescriptor.Builder partitions = new IndexDescriptor.Builder();
    private final ByteWriter section = new ByteWriter(16 << 10);
    private final ByteWriter scratch = new ByteWriter(1 << 10);
    private final TableProperties.Counter counter = new TableProperties.Counter();
    private byte[] lastBlockKey = new byte[0];
    private int compressions;

    /// Creates the file.
    ///
    /// @param tableId a random number that seeds the checksums
    /// @param blockBytes a data block is finished when it reaches this size
    /// @param compression of data blocks that it makes smaller by an eighth
    public TableWriter(Storage storage, String name, long tableId, int blockBytes, Compression compression)
            throws IOException {
        CompressedContent.require(compression, storage.describe(name));
        this.tableId = tableId;
        this.blockBytes = blockBytes;
        try (Opened opened = new Opened()) {
            this.compressor = opened.add(new CompressedContent.Compressor(compression));
            this.out = new ChecksummedOutput(storage, name, tableId); // last: nothing behind it can leave it open
            opened.all(this);
        }
        TableDescriptor.encodeHeader(scratch);
        out.put(scratch);
    }

    /// Adds a record.
    public void add(RecordView record) throws IOException {
        if (counter.records() == 0) {
            counter.begin(record.key());
        }
        long hash = Keys.hash(record.keyArray(), record.keyOffset(), record.keyLength());
        counter.add(record.tag(), record.keyLength(), record.valueLength());
        if (Tag.hasExpiry(record.tag())) {
            counter.expires(record.expiresAtMillis(), record.keyLength(), record.valueLength());
        }
        boolean large = record.valueLength() > LARGE_VALUE_BYTES;
        if (!block.isEmpty() && (large || block.sizeWith(record) > blockRoom())) {
            finishDataBlock();
        }
        partition.add(hash);
        if (large) {
            writeAlone(record, hash);
            return;
        }
        block.add(record, hash);
        if (block.size() >= blockRoom()) {
            finishDataBlock();
        }
    }

    /// Writes a block of one record.
    private void writeAlone(RecordView record, long hash) throws IOException {
        long offset = out.size();
        blockChecksum.seed(TableDescriptor.blockSeed(tableId, offset));
        ByteWriter head = block.addAlone(record, hash);
        putPart(head.array(), 0, head.size());
        record.forEachPiece(0, record.valueLength(), new byte[PIECE_BYTES], this::putPart);
        ByteWriter tail = block.finishBehindValue();
        putPart(tail.array(), 0, tail.size());
        endDataBlock(endBlock(offset, Compression.NONE));
    }

    /// The bound on the size of the current block. Blocks of a page or more end near the end of a page, so that
    /// reading one touches as few pages as possible: each costs a TLB miss, or a read. The compressed size is not
    /// known yet.
    private long blockRoom() {
        if (blockBytes < PAGE_BYTES || compressor.compression() != Compression.NONE) {
            return blockBytes;
        }
        long offset = out.size();
        long end = (offset + blockBytes + PAGE_SLACK_BYTES) / PAGE_BYTES * PAGE_BYTES;
        return end - offset - TableDescriptor.TRAILER_BYTES;
    }

    public long records() {
        return counter.records();
    }

    /// Bytes in the file and in the current block.
    public long bytes() {
        return out.size() + block.size();
    }

    /// Writes the last partition, index, properties and footer, and syncs the file. Its name is durable once
    /// the caller has synced the directory.
    public Finished finish() throws IOException {
        byte[] largestKey = block.isEmpty() ? lastBlockKey : block.lastKey();
        if (!block.isEmpty()) {
            finishDataBlock();
        }
        TableProperties properties = counter.properties(largestKey);
        if (!partition.isEmpty()) {
            finishPartition();
        }
        section.clear();
        partitions.encode(section);
        BlockHandle indexHandle = putBlock(section);
        section.clear();
        properties.encode(section);
        BlockHandle propertiesHandle = putBlock(section);
        scratch.clear();
        TableDescriptor.encodeFooter(
                new TableDescriptor.Footer(
                        new BlockHandle(partition.blocks(), 0),
                        indexHandle,
                        propertiesHandle,
                        TableDescriptor.VERSION,
                        tableId,
                        compressions),
                scratch);
        out.put(scratch);
        out.sync();
        return new Finished(out.size(), out.checksum(), properties);
    }

    @Override
    public void close() throws IOException {
        try (out) {
            compressor.close();
        }
    }

    private void finishDataBlock() throws IOException {
        ByteWriter content = block.finish();
        int stored = compressor.compress(content.array(), content.size());
        BlockHandle handle;
        if (stored < 0) {
            handle = putBlock(content);
        } else {
            compressions |= compressor.compression().flag();
            handle = putBlock(compressor.content(), stored, compressor.compression());
        }
        endDataBlock(handle);
    }

    private void endDataBlock(BlockHandle handle) throws IOException {
        lastBlockKey = block.lastKey();
        partition.add(lastBlockKey, handle);
        block.clear();
        if (partition.isFull(Math.min(blockBytes, PARTITION_BYTES))) {
            finishPartition();
        }
    }

    private void finishPartition() throws IOException {
        section.clear();
        partition.encode(section);
        partitions.add(lastBlockKey, putBlock(section));
        partition.next();
    }

    private BlockHandle putBlock(ByteWriter content) throws IOException {
        return putBlock(content.array(), content.size(), Compression.NONE);
    }

    private BlockHandle putBlock(byte[] content, int length, Compression compression) throws IOException {
        long offset = out.size();
        blockChecksum.seed(TableDescriptor.blockSeed(tableId, offset));
        putPart(content, 0, length);
        return endBlock(offset, compression);
    }

    private void putPart(byte[] content, int from, int length) throws IOException {
        blockChecksum.add(content, from, length);
        out.put(content, from, length);
    }

    /// @param offset where it begins; the checksum is that of all that has been put since
    private BlockHandle endBlock(long offset, Compression compression) throws IOException {
        BlockHandle handle = new BlockHandle(offset, Math.toIntExact(out.size() - offset));
        scratch.clear();
        TableDescriptor.encodeTrailer(compression.code(), blockChecksum, scratch);
        out.put(scratch);
        return handle;
    }
}
