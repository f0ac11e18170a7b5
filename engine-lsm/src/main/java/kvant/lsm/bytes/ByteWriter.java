package kvant.lsm.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A growing byte array with little-endian numbers and LEB128 varints. Belongs to one thread.
public final class ByteWriter {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// Beyond this, doubling would waste more memory than copying costs time.
    private static final int DOUBLING_LIMIT_BYTES = 1 << 20;

    private byte[] array;
    private int size;

    public ByteWriter(int initialCapacity) {
        array = new byte[Math.max(initialCapacity, 16)];
    }

    public int size() {
        return size;
    }

    /// The bytes so far, from 0 to [#size]; valid until the next write.
    public byte[] array() {
        return array;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(array, size);
    }

    public void clear() {
        size = 0;
    }

    /// Clears, and releases the array when it has grown beyond this.
    public void clear(int keptBytes) {
        size = 0;
        if (array.length > keptBytes) {
            array = new byte[keptBytes];
        }
    }

    public void putByte(int value) {
        reserve(1);
        array[size++] = (byte) value;
    }

    public void putInt(int value) {
        reserve(Integer.BYTES);
        INT.set(array, size, value);
        size += Integer.BYTES;
    }

    public void putLong(long value) {
        reserve(Long.BYTES);
        LONG.set(array, size, value);
        size += Long.BYTES;
    }

    /// Overwrites four bytes that were written before.
    public void setInt(int at, int value) {
        INT.set(array, at, value);
    }

    /// Overwrites eight bytes that were written before.
    public void setLong(int at, long value) {
        LONG.set(array, at, value);
    }

    /// An unsigned number in 1 to 10 bytes, seven bits each, the lowest first.
    public void putVarint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            array[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        array[size++] = (byte) rest;
    }

    public void putBytes(byte[] bytes) {
        putBytes(bytes, 0, bytes.length);
    }

    public void putBytes(byte[] bytes, int offset, int length) {
        reserve(length);
        System.arraycopy(bytes, offset, array, size, length);
        size += length;
    }

    /// Reserves `length` bytes that the caller fills in, and returns where they start.
    public int skip(int length) {
        reserve(length);
        int at = size;
        size += length;
        return at;
    }

    private void reserve(int more) {
        if (array.length - size < more) {
            long growth = array.length < DOUBLING_LIMIT_BYTES ? array.length : array.length / 4L;
            long wanted = Math.max((long) size + more, array.length + growth);
            array = Arrays.copyOf(array, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
        }
    }
}
