package kvant.lsm.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.lsm.bytes.KeyRange;

/// The index of an open table, as a get needs it: eight bytes of the last key of every block and the place of the
/// block, one next to the other, so that a binary search touches few cache lines; see [KeyRange]. Made when a table is
/// opened; never on a disk.
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
    private final KeyRange keys;

    /// @param blocksEnd where the last block ends, in the file: blocks follow one another without a gap
    Fences(MemorySegment index, TableProperties properties, long blocksEnd, Arena arena) {
        this.index = index;
        this.count = IndexDescriptor.count(index);
        this.keys = new KeyRange(properties.smallestKey(), properties.largestKey());
        MemorySegment written = arena.allocate((count + 1) * PAIR_BYTES, CACHE_LINE_BYTES);
        for (int block = 0; block < count; block++) {
            written.set(LONG, block * PAIR_BYTES, keys.fence(IndexDescriptor.lastKey(index, block)));
            written.set(LONG, block * PAIR_BYTES + OFFSET_AT, IndexDescriptor.blockOffset(index, block));
        }
        written.set(LONG, count * PAIR_BYTES + OFFSET_AT, blocksEnd);
        this.fences = written.asReadOnly();
    }

    /// The first block whose last key is not before this key: the only one that can hold it.
    ///
    /// @return its number, or the number of blocks when every one ends before the key
    int find(byte[] key) {
        int side = keys.sideOf(key);
        if (side != 0) {
            return side < 0 ? 0 : count;
        }
        long wanted = keys.fence(key);
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
}
