package kvant.lsm.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads little-endian numbers and varints from a memory segment, in order. Belongs to one thread.
///
/// Reading past the end throws [IndexOutOfBoundsException]; a caller that reads what may be damaged checks
/// the checksum first and turns that exception into its own.
public final class ByteReader {

    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment segment;
    private long position;

    public ByteReader(MemorySegment segment) {
        this.segment = segment;
    }

    public long position() {
        return position;
    }

    public boolean hasRemaining() {
        return position < segment.byteSize();
    }

    public int getByte() {
        return segment.get(ValueLayout.JAVA_BYTE, position++) & 0xFF;
    }

    public int getInt() {
        int value = segment.get(INT, position);
        position += Integer.BYTES;
        return value;
    }

    public long getLong() {
        long value = segment.get(LONG, position);
        position += Long.BYTES;
        return value;
    }

    public long getVarint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = getByte();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IndexOutOfBoundsException("a varint of more than 10 bytes");
    }

    /// A varint that counts bytes, and then as many bytes.
    public byte[] getSized() {
        return getBytes(getVarint());
    }

    public byte[] getBytes(long length) {
        skip(length);
        return bytesAt(position - length, (int) length);
    }

    /// Bytes that need not be the next ones.
    public byte[] bytesAt(long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return bytes;
    }

    public void skip(long length) {
        if (length < 0 || length > segment.byteSize() - position) {
            throw new IndexOutOfBoundsException(length + " bytes at " + position + " of " + segment.byteSize());
        }
        position += length;
    }
}
