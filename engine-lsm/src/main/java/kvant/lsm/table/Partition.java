package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.KeyRange;
import kvant.lsm.cache.CacheSlots;
import kvant.lsm.cache.Cached;

/// A partition of a table's filter and index, as a get needs it: made from the file when it is first needed.
/// Of the last key of every block it has eight bytes, next to the place of the block, so that a binary search
/// touches few cache lines; see [KeyRange].
///
///     filter, then (fence, block offset) for each block, then (0, end of the last block)
final class Partition extends Cached {

    private static final long PAIR_BYTES = 2L * Long.BYTES;
    private static final long OFFSET_AT = Long.BYTES;

    /// The parts of a partition that do not depend on the location of its bytes.
    ///
    /// @param blocks number of data blocks that it covers
    /// @param firstBlock number of the first of them in the table
    /// @param keys of the blocks
    /// @param index in the file: whole keys
    /// @param contents places for decompressed blocks; none where the table has no compressed ones
    record Shape(int blocks, int firstBlock, KeyRange keys, MemorySegment index, CacheSlots contents) {}

    private final int lines;
    private final int blocks;
    private final Shape shape;

    private Partition(Shape shape, int lines, MemorySegment memory, long offset) {
        super(memory, offset, bytes(lines, shape.blocks), shape.contents);
        this.lines = lines;
        this.blocks = shape.blocks;
        this.shape = shape;
    }

    /// @param filter in the file
    /// @param blocksEnd where the last block ends, in the file: blocks follow one another without a gap
    static Partition decode(Shape shape, MemorySegment filter, long blocksEnd) {
        int lines = Math.toIntExact(filter.byteSize() / BloomFilter.LINE_BYTES);
        MemorySegment memory = MemorySegment.ofArray(new byte[bytes(lines, shape.blocks)]);
        long at = (long) lines * BloomFilter.LINE_BYTES;
        MemorySegment.copy(filter, 0, memory, 0, at);
        for (int block = 0; block < shape.blocks; block++) {
            memory.set(ByteReader.LONG, at, shape.keys.fence(IndexDescriptor.lastKey(shape.index, block)));
            memory.set(ByteReader.LONG, at + OFFSET_AT, IndexDescriptor.blockOffset(shape.index, block));
            at += PAIR_BYTES;
        }
        memory.set(ByteReader.LONG, at + OFFSET_AT, blocksEnd);
        return new Partition(shape, lines, memory, 0);
    }

    /// The memory for a filter of this many lines and an index of this many blocks.
    static int bytes(int lines, int blocks) {
        return Math.toIntExact((long) lines * BloomFilter.LINE_BYTES + (blocks + 1L) * PAIR_BYTES);
    }

    @Override
    protected Partition at(MemorySegment place, long placeOffset) {
        return new Partition(shape, lines, place, placeOffset);
    }

    /// @param hash of a key, from [Keys#hash]
    /// @return false when the key is not in these blocks
    boolean mayContain(long hash) {
        return BloomFilter.mayContain(memory(), offset(), lines, hash);
    }

    /// The first block whose last key is not before this key: the only one of these that can hold it.
    ///
    /// @return its number among these, or their number when every one ends before the key
    int find(byte[] key) {
        int side = shape.keys.sideOf(key);
        if (side != 0) {
            return side < 0 ? 0 : blocks;
        }
        MemorySegment memory = memory();
        long fences = offset() + (long) lines * BloomFilter.LINE_BYTES;
        long wanted = shape.keys.fence(key);
        int base = 0; // as in KeyRange
        for (int left = blocks; left > 1; ) {
            int half = left >>> 1;
            base += memory.get(ByteReader.LONG, fences + (base + half - 1) * PAIR_BYTES) < wanted ? half : 0;
            left -= half;
        }
        long fence = memory.get(ByteReader.LONG, fences + base * PAIR_BYTES);
        return fence == wanted ? firstNotBefore(key, fences, wanted, base) : base + (fence < wanted ? 1 : 0);
    }

    /// Decides among the blocks with this fence, from the first of them on: equal fences give no order, so their keys
    /// decide.
    private int firstNotBefore(byte[] key, long fences, long wanted, int first) {
        int low = first;
        int high = low;
        while (high < blocks && memory().get(ByteReader.LONG, fences + high * PAIR_BYTES) == wanted) {
            high++;
        }
        while (low < high) {
            int middle = low + high >>> 1;
            if (IndexDescriptor.compareLastKey(shape.index, middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// @param block number among these, or their number for the end of the last one
    long blockOffset(int block) {
        long fences = offset() + (long) lines * BloomFilter.LINE_BYTES;
        return memory().get(ByteReader.LONG, fences + block * PAIR_BYTES + OFFSET_AT);
    }

    /// Without the trailer.
    int blockLength(int block) {
        return (int) (blockOffset(block + 1) - blockOffset(block)) - TableDescriptor.TRAILER_BYTES;
    }

    int blocks() {
        return blocks;
    }

    int firstBlock() {
        return shape.firstBlock;
    }

    CacheSlots contents() {
        return shape.contents;
    }
}
