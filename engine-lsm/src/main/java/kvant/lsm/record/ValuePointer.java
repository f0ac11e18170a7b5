package kvant.lsm.record;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;

/// The location of a value that is kept out of tables.
///
/// Format document: docs/formats/values.md
///
///     pointer = file (8) offset (8) length (4) checksum (4)
///
/// @param file number of the value file
/// @param offset of the value in it
/// @param length of the value in bytes
/// @param checksum CRC32C of the value, seeded with its location
public record ValuePointer(long file, long offset, int length, int checksum) {

    public static final int BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

    private static final int OFFSET_AT = Long.BYTES;
    private static final int LENGTH_AT = 2 * Long.BYTES;
    private static final int CHECKSUM_AT = LENGTH_AT + Integer.BYTES;

    public static ValuePointer decode(MemorySegment segment, long at) {
        return new ValuePointer(
                segment.get(ByteReader.LONG, at),
                segment.get(ByteReader.LONG, at + OFFSET_AT),
                segment.get(ByteReader.INT, at + LENGTH_AT),
                segment.get(ByteReader.INT, at + CHECKSUM_AT));
    }

    /// Decodes the pointer of a stored value, behind its expiry where it has one.
    public static ValuePointer of(long tag, byte[] stored) {
        return decode(MemorySegment.ofArray(stored), expiryBytes(tag));
    }

    /// The number of bytes stored in a record with this tag, when its value lies in a value file.
    public static int storedBytes(long tag) {
        return expiryBytes(tag) + BYTES;
    }

    public void encode(byte[] target, int at) {
        MemorySegment segment = MemorySegment.ofArray(target);
        segment.set(ByteReader.LONG, at, file);
        segment.set(ByteReader.LONG, at + (long) OFFSET_AT, offset);
        segment.set(ByteReader.INT, at + (long) LENGTH_AT, length);
        segment.set(ByteReader.INT, at + (long) CHECKSUM_AT, checksum);
    }

    private static int expiryBytes(long tag) {
        return Tag.hasExpiry(tag) ? Tag.EXPIRY_BYTES : 0;
    }
}
