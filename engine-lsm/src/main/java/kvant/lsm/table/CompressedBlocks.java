package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.cache.Cached;
import org.jspecify.annotations.Nullable;

/// The data blocks of a table that has compressed ones: finds them in the cache, or decompresses them. Read
/// by any number of threads without a lock.
///
/// The checksum of a compressed block is checked each time that it is decompressed, over the very copy that
/// the library gets.
final class CompressedBlocks {

    /// Stored bytes up to this many may be decompressed where blocking is not allowed: some microseconds.
    static final int INLINE_BYTES = 16 << 10;

    // Constant.
    private final String name;
    private final TableDescriptor.Footer footer;
    private final TableContext context;

    /// Blocks that turned out to be plain.
    private final BlockBits plain;

    CompressedBlocks(String name, TableDescriptor.Footer footer, int blocks, TableContext context) {
        this.name = name;
        this.footer = footer;
        this.context = context;
        this.plain = new BlockBits(blocks);
    }

    /// Whether the block is known to be plain.
    boolean isPlain(int block) {
        return plain.get(block);
    }

    /// For point reads.
    ///
    /// @param block number in the partition
    @Nullable
    DecompressedBlock cached(Partition partition, int block) {
        DecompressedBlock kept = (DecompressedBlock) partition.contents().get(block);
        if (kept != null) {
            context.askedForBlock(true);
        }
        return kept;
    }

    /// Whether a block in memory is small enough to be decompressed by a thread that must not block. Does not verify
    /// the length in the file: the read of the block does.
    boolean isQuick(MemorySegment file, long offset, int length) {
        return length >= CompressedContent.HEAD_BYTES
                && length <= INLINE_BYTES
                && Integer.compareUnsigned(CompressedContent.uncompressedLength(file, offset), 4 * INLINE_BYTES) <= 0;
    }

    /// Decompresses a block for a point read, and keeps it.
    ///
    /// @param block number in the partition
    /// @return null when it is plain
    @Nullable
    DecompressedBlock load(MemorySegment file, Partition partition, int block, long offset, int length) {
        byte[] content = decompress(file, partition.firstBlock() + block, offset, length);
        if (content == null) {
            return null;
        }
        context.askedForBlock(false);
        return (DecompressedBlock) context.cache().put(partition.contents(), block, new DecompressedBlock(content));
    }

    /// For scans and merges: neither asks the cache nor fills it.
    ///
    /// @return null when the block is plain
    byte @Nullable [] pass(MemorySegment file, int block, long offset, int length) {
        return plain.get(block) ? null : decompress(file, block, offset, length);
    }

    private byte @Nullable [] decompress(MemorySegment file, int block, long offset, int length) {
        TableDescriptor.requireWithin(file, offset, length, name);
        byte code = file.get(ValueLayout.JAVA_BYTE, offset + length);
        if (code == TableDescriptor.COMPRESSION_NONE) {
            // First: the compression code may be damaged too.
            TableDescriptor.checkBlock(file, offset, length, footer.tableId(), name);
            plain.set(block);
            return null;
        }
        byte[] stored = new byte[length + 1];
        MemorySegment.copy(file, ValueLayout.JAVA_BYTE, offset, stored, 0, stored.length);
        int expected = file.get(ByteReader.INT, offset + length + 1);
        if (expected != Checksum.of(TableDescriptor.blockSeed(footer.tableId(), offset), stored, 0, stored.length)) {
            throw new EngineException.Corruption(name, offset, "the checksum of a block does not match");
        }
        return decompress(stored, length, offset);
    }

    private byte[] decompress(byte[] stored, int length, long offset) {
        Compression compression = Compression.ofCode(stored[length]);
        if (compression == null || (compression.flag() & footer.compressions()) == 0) {
            throw new EngineException.Corruption(name, offset, "unknown compression " + stored[length]);
        }
        int uncompressed = length < CompressedContent.HEAD_BYTES
                ? -1
                : CompressedContent.uncompressedLength(MemorySegment.ofArray(stored), 0);
        if (uncompressed < CompressedContent.SMALLEST_BYTES || uncompressed > CompressedContent.LARGEST_BYTES) {
            throw new EngineException.Corruption(
                    name, offset, "a compressed block claims to have " + uncompressed + " bytes");
        }
        byte[] content = new byte[uncompressed];
        if (!CompressedContent.decompress(compression, stored, length, content)) {
            throw new EngineException.Corruption(name, offset, "a block cannot be decompressed");
        }
        return content;
    }

    /// The content of a compressed data block, as it is searched.
    static final class DecompressedBlock extends Cached {

        /// In place of a block that is not in memory.
        static final DecompressedBlock NOT_RESIDENT = new DecompressedBlock(new byte[0]);

        DecompressedBlock(byte[] content) {
            this(MemorySegment.ofArray(content).asReadOnly(), 0, content.length);
        }

        private DecompressedBlock(MemorySegment memory, long offset, int bytes) {
            super(memory, offset, bytes, null);
        }

        @Override
        protected DecompressedBlock at(MemorySegment place, long placeOffset) {
            return new DecompressedBlock(place, placeOffset, bytes());
        }
    }
}
