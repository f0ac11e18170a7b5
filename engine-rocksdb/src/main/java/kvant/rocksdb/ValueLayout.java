package kvant.rocksdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.kit.ExpiryClock;

/// The layout of what RocksDB stores as a value; see `docs/formats/rocksdb-value.md`. All offsets are here.
///
///     0        8                 16
///     +--------+-----------------+---------------
///     | version| expiresAtMillis | value ...
///     +--------+-----------------+---------------
final class ValueLayout {

    private static final int VERSION_OFFSET = 0;
    private static final int EXPIRES_OFFSET = 8;

    /// Bytes before the value itself.
    static final int HEADER_BYTES = 16;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private ValueLayout() {}

    static byte[] encode(Mutation.Put put, long version) {
        byte[] value = put.value();
        byte[] stored = new byte[HEADER_BYTES + value.length];
        LONG.set(stored, VERSION_OFFSET, version);
        LONG.set(stored, EXPIRES_OFFSET, put.expiresAtMillis());
        System.arraycopy(value, 0, stored, HEADER_BYTES, value.length);
        return stored;
    }

    /// Decodes a stored value; expired ones are absent. It copies once more than the native call, to remove the
    /// header.
    static Lookup decode(byte[] stored, ExpiryClock clock) {
        checkLength(stored.length);
        return expired(stored, clock)
                ? Lookup.Miss.ABSENT
                : new Lookup.Found(value(stored, stored.length), version(stored));
    }

    /// Describes a stored value without copying it; expired ones are absent.
    ///
    /// @param header its beginning
    /// @param length of all of it
    static Lookup describe(byte[] header, int length, ExpiryClock clock) {
        checkLength(length);
        return expired(header, clock)
                ? Lookup.Miss.ABSENT
                : new Lookup.Described(version(header), length - HEADER_BYTES);
    }

    static long version(byte[] stored) {
        return (long) LONG.get(stored, VERSION_OFFSET);
    }

    /// Asks the clock only about values that expire.
    static boolean expired(byte[] stored, ExpiryClock clock) {
        return expired(expiresAtMillis(stored), version(stored), clock);
    }

    static boolean expired(long expiresAtMillis, long version, ExpiryClock clock) {
        return expiresAtMillis != Mutation.Put.NEVER && clock.isExpired(expiresAtMillis, version);
    }

    /// The value within the first `length` bytes of an array.
    static byte[] value(byte[] stored, int length) {
        return Arrays.copyOfRange(stored, HEADER_BYTES, length);
    }

    /// @throws EngineException.Corruption when there is not even a header
    static void checkLength(int length) {
        if (length < HEADER_BYTES) {
            throw new EngineException.Corruption(
                    "a stored value", length, "it is shorter than its header of " + HEADER_BYTES + " bytes");
        }
    }

    static long expiresAtMillis(byte[] stored) {
        return (long) LONG.get(stored, EXPIRES_OFFSET);
    }
}
