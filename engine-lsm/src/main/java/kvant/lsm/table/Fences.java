package kvant.lsm.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import kvant.lsm.bytes.Keys;

/// The index of an open table, as a get needs it: eight bytes of the last key of every block and the place of the
/// block, one next to the other, so that a binary search touches few cache lines. The bytes are those behind what all
/// keys of the table begin with, so that keys like `user:000001` are told apart as well as random ones. Made when a
/// table is opened; never on a disk.
///
///     (fence, block offset) for each block, then (0, end of the last block)
final class Fences {

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final long PAIR_BYTES = 2L * Long.BYTES;
    private static final long OFFSET_AT = Long.BYTES;
    private static final long CACHE_LINE_BYTES = 64;

    private final MemorySegment fences;
    private final MemorySegment index;
    private final int count;
    private final byte[] smallestKey;
    private final int common;

    /// @param blocksEnd where the last block ends, in the file: blocks follow one another without a gap
    Fences(MemorySegment index, TableProperties properties, long blocksEnd, Arena arena) {
        this.index = index;
        this.count = IndexDescriptor.count(index);
        this.smallestKey = properties.smallestKey();
        int mismatch = Arrays.mismatch(smallestKey, properties.largestKey());
        this.common = mismatch < 0 ? smallestKey.length : mismatch;
        MemorySegment written = arena.allocate((count + 1) * PAIR_BYTES, CACHE_LINE_BYTES);
        for (int block = 0; block < count; block++) {
            written.set(LONG, block * PAIR_BYTES, fence(IndexDescriptor.lastKey(index, block)));
            written.set(LONG, block * PAIR_BYTES + OFFSET_AT, IndexDescriptor.blockOffset(index, block));
        }
        written.set(LONG, count * PAIR_BYTES + OFFSET_AT, blocksEnd);
        this.fences = written.asReadOnly();
    }

    /// The first block whose last key is not before this key: the only one that can hold it.
    ///
    /// @return its number, or the number of blocks when every one ends before the key
    int find(byte[] key) {
        int begins = beginsLikeAll(key);
        if (begins != 0) {
            return begins < 0 ? 0 : count;
        }
        long wanted = fence(key);
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            long fence = fences.get(LONG, middle * PAIR_BYTES);
            // Equal fences say nothing: their keys decide.
            if (fence < wanted || fence == wanted && IndexDescriptor.compareLastKey(index, middle, key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    int count() {
        return count;
    }

    long blockOffset(int block) {
        return fences.get(LONG, block * PAIR_BYTES + OFFSET_AT);
    }

    /// Without the trailer.
    int blockLength(int block) {
        return (int) (blockOffset(block + 1) - blockOffset(block)) - TableDescriptor.TRAILER_BYTES;
    }

    /// @return 0 when the key begins with what all keys of the table begin with; else on which side of them it is
    private int beginsLikeAll(byte[] key) {
        int mismatch = Arrays.mismatch(key, 0, Math.min(key.length, common), smallestKey, 0, common);
        if (mismatch < 0) {
            return 0;
        }
        return mismatch == key.length ? -1 : Byte.compareUnsigned(key[mismatch], smallestKey[mismatch]);
    }

    /// In signed order, which is the faster one.
    private long fence(byte[] key) {
        return Keys.prefix(key, common, key.length - common) + Long.MIN_VALUE;
    }
}
