package kvant.lsm.wal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Checksum;

/// Layout of a record: a header, a payload, zeros up to a multiple of eight. Both checksums are seeded with the id of
/// the file.
///
/// Format document: docs/formats/wal.md
///
///     0  checksum of 4..32 (4)   4  payload length (4)     8  first sequence (8)
///     16 synced offset (8)       24 payload checksum (4)   28 type (1), zeros (3)
///     32 payload ...
///
/// The header has a checksum of its own, so that the length can be trusted before the payload is read. The synced
/// offset is the size of the file that was known to be durable when the record was written: damage below it was not
/// caused by a torn write in a crash.
final class RecordDescriptor {

    static final int HEADER_BYTES = 32;
    static final int ALIGNMENT = 8;

    private static final int HEADER_CHECKSUM_AT = 0;
    private static final int LENGTH_AT = 4;
    private static final int SEQUENCE_AT = 8;
    private static final int SYNCED_AT = 16;
    private static final int PAYLOAD_CHECKSUM_AT = 24;
    private static final int TYPE_AT = 28;

    private RecordDescriptor() {}

    /// Bytes that a record takes in the file.
    static long recordBytes(int payloadLength) {
        return HEADER_BYTES + align(payloadLength);
    }

    static long align(long offset) {
        return offset + ALIGNMENT - 1 & -ALIGNMENT;
    }

    static void encodeHeader(
            ByteBuffer into,
            byte[] scratch,
            long fileId,
            int type,
            long sequence,
            long synced,
            int length,
            int checksum) {
        ByteBuffer header = ByteBuffer.wrap(scratch).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(LENGTH_AT, length);
        header.putLong(SEQUENCE_AT, sequence);
        header.putLong(SYNCED_AT, synced);
        header.putInt(PAYLOAD_CHECKSUM_AT, checksum);
        header.putInt(TYPE_AT, type & 0xFF);
        header.putInt(HEADER_CHECKSUM_AT, Checksum.of(fileId, scratch, LENGTH_AT, HEADER_BYTES - LENGTH_AT));
        into.put(scratch, 0, HEADER_BYTES);
    }

    /// Whether a whole and undamaged header starts here. Zeros (preallocated space) pass for one id in four billion;
    /// but then the checksum of the payload is not zero.
    static boolean isHeader(MemorySegment file, long at, long fileId) {
        return at + HEADER_BYTES <= file.byteSize()
                && file.get(ByteReader.INT, at + HEADER_CHECKSUM_AT)
                        == Checksum.of(fileId, file, at + LENGTH_AT, HEADER_BYTES - LENGTH_AT);
    }

    /// Whether the payload behind a valid header is whole and undamaged.
    static boolean isPayload(MemorySegment file, long at, long fileId) {
        int length = length(file, at);
        return length >= 0
                && at + recordBytes(length) <= file.byteSize()
                && file.get(ByteReader.INT, at + PAYLOAD_CHECKSUM_AT)
                        == Checksum.of(fileId, file, at + HEADER_BYTES, length);
    }

    static int length(MemorySegment file, long at) {
        return file.get(ByteReader.INT, at + LENGTH_AT);
    }

    static long sequence(MemorySegment file, long at) {
        return file.get(ByteReader.LONG, at + SEQUENCE_AT);
    }

    static long synced(MemorySegment file, long at) {
        return file.get(ByteReader.LONG, at + SYNCED_AT);
    }

    static int type(MemorySegment file, long at) {
        return file.get(ValueLayout.JAVA_BYTE, at + TYPE_AT) & 0xFF;
    }
}
