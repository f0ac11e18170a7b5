package kvant.lsm.bytes;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The order of keys: as unsigned bytes, with a prefix before its extensions.
public final class Keys {

    /// Bytes of a key that [#prefix] uses.
    public static final int PREFIX_BYTES = Long.BYTES;

    private static final VarHandle LONG_BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final Hasher64 HASHER = Hashing.xxh3_64();

    /// The start of every order: no key is before it.
    public static final byte[] START = {};

    private Keys() {}

    /// XXH3, 64 bits. Filters of tables are built with it, so that it is part of the format of tables; a read
    /// computes it once for all memtables and tables.
    public static long hash(byte[] key, int offset, int length) {
        return HASHER.hashBytesToLong(key, offset, length);
    }

    public static long hash(byte[] key) {
        return hash(key, 0, key.length);
    }

    public static int compare(byte[] a, byte[] b) {
        return Arrays.compareUnsigned(a, b);
    }

    /// Compares a key in an array with another one.
    public static int compare(byte[] array, int offset, int length, byte[] other) {
        return Arrays.compareUnsigned(array, offset, offset + length, other, 0, other.length);
    }

    /// Compares a key with one that lies in a memory segment.
    public static int compare(byte[] a, MemorySegment segment, long offset, int length) {
        int common = Math.min(a.length, length);
        for (int i = 0; i < common; i++) {
            int difference = Byte.compareUnsigned(a[i], segment.get(ValueLayout.JAVA_BYTE, offset + i));
            if (difference != 0) {
                return difference;
            }
        }
        return a.length - length;
    }

    /// The first eight bytes as a number, padded with zeros. As unsigned numbers, prefixes order like their
    /// keys, but keys with equal prefixes must be compared.
    public static long prefix(byte[] key, int offset, int length) {
        if (length >= PREFIX_BYTES) {
            return (long) LONG_BIG_ENDIAN.get(key, offset);
        }
        long prefix = 0;
        for (int i = 0; i < length; i++) {
            prefix |= (key[offset + i] & 0xFFL) << (Long.SIZE - Byte.SIZE * (i + 1));
        }
        return prefix;
    }
}
