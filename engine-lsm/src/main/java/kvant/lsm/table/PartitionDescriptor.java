package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;

/// Layout of a partition: the filter and the index of some consecutive data blocks.
///
/// Format document: docs/formats/table.md
///
///     content = first block (4) lines of the filter (4) filter (64 each) index
final class PartitionDescriptor {

    private static final int LINES_AT = 4;
    private static final int FILTER_AT = 8;

    /// Collects a partition that is being written.
    static final class Builder {

        private final IndexDescriptor.Builder index = new IndexDescriptor.Builder();
        private long[] hashes = new long[1 << 10];
        private int records;
        private int firstBlock;

        /// A record of the block that is added next.
        ///
        /// @param hash of its key
        void add(long hash) {
            if (records == hashes.length) {
                hashes = Arrays.copyOf(hashes, records * 2);
            }
            hashes[records++] = hash;
        }

        void add(byte[] lastKey, BlockHandle block) {
            index.add(lastKey, block);
        }

        /// Whether a get would need at least this many bytes of memory for it.
        boolean isFull(int bytes) {
            return Partition.bytes(BloomFilter.lines(records), index.count()) >= bytes;
        }

        boolean isEmpty() {
            return index.count() == 0;
        }

        void encode(ByteWriter out) {
            out.putInt(firstBlock);
            out.putInt(BloomFilter.lines(records));
            BloomFilter.encode(hashes, records, out);
            index.encode(out);
        }

        /// Begins the next one.
        void next() {
            firstBlock += index.count();
            index.clear();
            records = 0;
        }

        /// The blocks of all partitions begun so far.
        int blocks() {
            return firstBlock + index.count();
        }
    }

    private PartitionDescriptor() {}

    /// The number of its first data block in the table.
    static int firstBlock(MemorySegment partition) {
        return partition.get(ByteReader.INT, 0);
    }

    static MemorySegment filter(MemorySegment partition) {
        return partition.asSlice(FILTER_AT, filterBytes(partition));
    }

    static MemorySegment index(MemorySegment partition) {
        return partition.asSlice(FILTER_AT + filterBytes(partition));
    }

    private static long filterBytes(MemorySegment partition) {
        return (long) BloomFilter.LINE_BYTES * partition.get(ByteReader.INT, LINES_AT);
    }
}
