package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;

/// Layout of a data block: records in key order, the offsets of the restart points, a byte of hash for each record, and
/// how many there are of both.
///
/// Format document: docs/formats/table.md
///
///     record  = shared (varint) unshared (varint) value-length (varint) tag (8) key suffix, value
///     content = record ... restart (4) ... mark (1) ... marks (4) restarts (4)
///
/// A key is stored as the number of bytes that it shares with the key before it, and the rest; at a restart
/// point nothing is shared. All offsets are relative to the block, so that they fit an int.
///
/// A get looks for the byte of its key's hash among the marks, eight at a time, and then walks over the few records
/// between two restart points: it reads the block's end and one record, where a binary search would read most of
/// the block. Most absent keys are excluded by the marks alone.
final class BlockDescriptor {

    /// Records from one restart point to the next: few, because a get walks over half of them.
    static final int RESTART_INTERVAL = 4;

    /// The two counts that a block ends with.
    static final int TAIL_BYTES = 2 * Integer.BYTES;

    /// A block of more records has no marks: looking through them would take longer than a binary search.
    static final int MAX_MARKS = 1 << 10;

    private BlockDescriptor() {}

    static void encodeRecordHead(int shared, int unshared, int valueLength, long tag, ByteWriter out) {
        out.putVarint(shared);
        out.putVarint(unshared);
        out.putVarint(valueLength);
        out.putLong(tag);
    }

    static int restartCount(MemorySegment file, long block, int length) {
        return file.get(ByteReader.INT, block + length - Integer.BYTES);
    }

    static int markCount(MemorySegment file, long block, int length) {
        return file.get(ByteReader.INT, block + length - TAIL_BYTES);
    }

    /// The end of the records, and start of the restart points.
    static int recordsEnd(int length, int restartCount, int markCount) {
        long end = length - TAIL_BYTES - markCount - (long) Integer.BYTES * restartCount;
        return (int) Objects.checkIndex(end, length - TAIL_BYTES + 1L);
    }

    /// The start of the marks.
    static long marks(long block, int length, int markCount) {
        return block + length - TAIL_BYTES - markCount;
    }

    /// The top byte of the hash, which is independent of the filter's bits.
    static byte mark(long hash) {
        return (byte) (hash >>> Long.SIZE - Byte.SIZE);
    }

    static int restart(MemorySegment file, long block, int recordsEnd, int index) {
        return file.get(ByteReader.INT, block + recordsEnd + (long) Integer.BYTES * index);
    }

    static long tag(MemorySegment file, long at) {
        return file.get(ByteReader.LONG, at);
    }

    /// Reads a varint below 2^31 at a place in a block.
    ///
    /// @return the number in the upper half, the place after it in the lower: two results without an object
    static long varint(MemorySegment file, long block, int at) {
        int next = file.get(ValueLayout.JAVA_BYTE, block + at);
        if (next >= 0) {
            return (long) next << 32 | at + 1;
        }
        int value = next & 0x7F;
        int place = at + 1;
        for (int shift = 7; next < 0; shift += 7) {
            next = file.get(ValueLayout.JAVA_BYTE, block + place++);
            value |= (next & 0x7F) << shift;
        }
        return (long) (value & Integer.MAX_VALUE) << 32 | place;
    }

    static int value(long varint) {
        return (int) (varint >>> 32);
    }

    static int place(long varint) {
        return (int) varint;
    }
}
