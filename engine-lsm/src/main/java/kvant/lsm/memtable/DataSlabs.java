package kvant.lsm.memtable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import kvant.lsm.record.Retired;

/// Keys and values of an [ArenaMemtable] or a [ReplayBuffer], one behind the other in arrays.
///
///     key, value                       for small values
///     key, number of the value's slab  for large ones, which are referred to instead of copied
///
/// One thread writes. Readers get an address from an acquired link, and so see the data at it. Data never moves.
final class DataSlabs {

    /// From this size on, a value's array is referred to, not copied.
    static final int LARGE_VALUE_BYTES = 16 << 10;

    /// Arrays that there is room for from the start.
    private static final int FEWEST_ROOM = 16;
    private static final int MOST_ROOM = 1 << 16;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    // Constant.
    private final int slabBytes;

    private byte[][] slabs;

    // Owned by the writer.
    private int slabCount;
    private int currentSlab = -1;
    private int slabUsed;
    private long bytes;

    /// @param expectedBytes about how much it will hold, at most
    DataSlabs(SlabSize size, long expectedBytes) {
        this.slabBytes = size.bytes();
        this.slabUsed = slabBytes;
        this.slabs = new byte[arrays(expectedBytes, Math.min(slabBytes, LARGE_VALUE_BYTES))][];
    }

    /// The number of arrays to reserve room for. So the array of arrays seldom grows: the outgrown one also refers to
    /// them, and [#drop] cannot reach it, so that its arrays stay until a concurrent mark.
    ///
    /// @param arrayBytes of the smallest
    static int arrays(long expectedBytes, int arrayBytes) {
        return (int) Math.min(MOST_ROOM, FEWEST_ROOM + expectedBytes / arrayBytes);
    }

    /// Memory of all slabs; for the writer.
    long bytes() {
        return bytes;
    }

    byte[] keyArray(long place) {
        return slab((int) (place >>> 32));
    }

    private byte[] slab(int number) {
        byte[] slab = slabs[number];
        if (slab == null) {
            throw Retired.INSTANCE;
        }
        return slab;
    }

    static int offset(long place) {
        return (int) place;
    }

    byte[] valueArray(long place, int keyLength, int valueLength) {
        byte[] keyArray = keyArray(place);
        return valueLength < LARGE_VALUE_BYTES ? keyArray : slab((int) INT.get(keyArray, offset(place) + keyLength));
    }

    static int valueOffset(long place, int keyLength, int valueLength) {
        return valueLength < LARGE_VALUE_BYTES ? offset(place) + keyLength : 0;
    }

    /// Loads the first and the last byte of a key and its small value, so that they are in the processor's caches.
    ///
    /// @param bytes of key and value
    int touch(long place, int bytes) {
        byte[] slab = keyArray(place);
        int offset = offset(place);
        return slab[offset] + slab[Math.min(offset + bytes, slab.length) - 1];
    }

    /// Copies key and value into a slab, or the key and the number of a slab that is the value.
    ///
    /// @return slab and offset of the key
    long store(byte[] key, byte[] value) {
        boolean large = value.length >= LARGE_VALUE_BYTES;
        int valueSlab = large ? addSlab(value) : 0;
        int needed = key.length + (large ? Integer.BYTES : value.length);
        int slab;
        int offset;
        if (needed > slabBytes / 4) {
            slab = addSlab(new byte[needed]);
            offset = 0;
        } else {
            if (slabUsed + needed > slabBytes) {
                currentSlab = addSlab(new byte[slabBytes]);
                slabUsed = 0;
            }
            slab = currentSlab;
            offset = slabUsed;
            slabUsed += needed;
        }
        System.arraycopy(key, 0, slabs[slab], offset, key.length);
        if (large) {
            INT.set(slabs[slab], offset + key.length, valueSlab);
        } else {
            System.arraycopy(value, 0, slabs[slab], offset + key.length, value.length);
        }
        return (long) slab << 32 | offset;
    }

    /// Drops the references to all slabs. A concurrent look-up continues with the slabs that it has, or meets
    /// [Retired].
    void drop() {
        Arrays.fill(slabs, null);
    }

    private int addSlab(byte[] slab) {
        if (slabCount == slabs.length) {
            slabs = Arrays.copyOf(slabs, slabCount * 2);
        }
        slabs[slabCount] = slab;
        bytes += slab.length;
        return slabCount++;
    }
}
