package kvant.lsm.record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.engine.Lookup;
import kvant.lsm.bytes.ByteReader;

/// Turns a stored record into the answer that a reader gets: deletions and expired values read as absent.
public final class StoredValue {

    private StoredValue() {}

    public static Lookup lookup(long tag, MemorySegment segment, long offset, int length, Reading reading) {
        return switch (Tag.kind(tag)) {
            case Tag.DELETE -> Lookup.Miss.ABSENT;
            case Tag.PUT -> found(tag, segment, offset, length, reading);
            case Tag.PUT_EXPIRING ->
                reading.clock().isExpired(expiresAtMillis(segment, offset), Tag.sequence(tag))
                        ? Lookup.Miss.ABSENT
                        : found(tag, segment, offset + Tag.EXPIRY_BYTES, length - Tag.EXPIRY_BYTES, reading);
            case Tag.PUT_SEPARATED -> separated(tag, segment, offset, reading);
            case Tag.PUT_SEPARATED_EXPIRING ->
                reading.clock().isExpired(expiresAtMillis(segment, offset), Tag.sequence(tag))
                        ? Lookup.Miss.ABSENT
                        : separated(tag, segment, offset + Tag.EXPIRY_BYTES, reading);
            default -> throw new IndexOutOfBoundsException("unknown kind of record " + Tag.kind(tag));
        };
    }

    /// A value as it is stored with [Tag#PUT_EXPIRING].
    public static byte[] withExpiry(byte[] value, long expiresAtMillis) {
        byte[] stored = new byte[Tag.EXPIRY_BYTES + value.length];
        MemorySegment.ofArray(stored).set(ByteReader.LONG, 0, expiresAtMillis);
        System.arraycopy(value, 0, stored, Tag.EXPIRY_BYTES, value.length);
        return stored;
    }

    /// The expiry time of a value; only where [Tag#hasExpiry].
    public static long expiresAtMillis(MemorySegment segment, long offset) {
        return segment.get(ByteReader.LONG, offset);
    }

    public static boolean isExpired(long expiresAtMillis, long nowMillis) {
        return expiresAtMillis <= nowMillis;
    }

    /// The pointer knows the length, so that a value that is not wanted is not touched.
    private static Lookup separated(long tag, MemorySegment segment, long offset, Reading reading) {
        ValuePointer pointer = ValuePointer.decode(segment, offset);
        if (pointer.length() >= 0 && !reading.wants(tag, pointer.length())) { // else refused
            return new Lookup.Described(Tag.sequence(tag), pointer.length());
        }
        byte[] value = reading.values().read(pointer);
        return value == null ? Lookup.Miss.WOULD_BLOCK : new Lookup.Found(value, Tag.sequence(tag));
    }

    private static Lookup found(long tag, MemorySegment segment, long offset, int length, Reading reading) {
        if (!reading.wants(tag, length)) {
            return new Lookup.Described(Tag.sequence(tag), length);
        }
        byte[] value = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, value, 0, length);
        return new Lookup.Found(value, Tag.sequence(tag));
    }
}
