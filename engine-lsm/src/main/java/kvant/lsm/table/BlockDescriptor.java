package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;

/// Layout of a data block: records in key order, then the offsets of the restart points and their number.
///
/// Format document: docs/formats/table.md
///
///     record  = shared (varint) unshared (varint) value-length (varint) tag (8) key suffix, value
///     content = record ... restart (4) ... count (4)
///
/// A key is stored as the number of bytes that it shares with the key before it, and the rest; at a restart
/// point nothing is shared. All offsets are relative to the block, so that they fit an int.
final class BlockDescriptor {

    /// Records from one restart point to the next.
    static final int RESTART_INTERVAL = 16;

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

    /// Where the records end and the restart points begin.
    static int recordsEnd(int length, int restartCount) {
        return length - Integer.BYTES * (restartCount + 1);
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
        return (long) value << 32 | place;
    }

    static int value(long varint) {
        return (int) (varint >>> 32);
    }

    static int place(long varint) {
        return (int) varint;
    }
}
