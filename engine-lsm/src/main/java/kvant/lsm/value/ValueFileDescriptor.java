package kvant.lsm.value;

import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;

/// Layout of a value file: header, records, footer.
///
/// Format document: docs/formats/values.md
///
///     header  0 magic (8)  8 version (4)  12 zero (4)  16 id (8)  24 checksum of 0..24 (4)  28 zero (4)
///     record  0 checksum of 4..16 and the key (4)  4 key length (4)  8 value length (4)
///             12 checksum of the value (4)  16 key, value
///     footer  0 records (8)  8 id (8)  16 version (4)  20 checksum of 0..20 (4)  24 magic (8)
///
/// The checksums of a record are seeded with the file's id and the offset of the checksummed part: a record at
/// another place, or in another file, is not valid. A reader that follows a pointer reads the value alone; the rest
/// of a record is for the check, and to find the values of a file whose tables are lost.
final class ValueFileDescriptor {

    static final int VERSION = 1;
    static final int HEADER_BYTES = 32;
    static final int RECORD_HEAD_BYTES = 16;
    static final int FOOTER_BYTES = 32;

    private static final long MAGIC = 0x4C415654_4E41564BL; // "KVANTVAL" in little-endian order
    private static final long HEADER_SEED = 0x6865616465720000L;
    private static final long FOOTER_SEED = 0x666F6F7465720000L;
    private static final int ID_AT = 16;
    private static final int HEADER_CHECKSUM_AT = 24;
    private static final int FOOTER_CHECKSUM_AT = 20;

    /// The head of a record.
    record Head(int keyLength, int valueLength, int valueChecksum) {

        long recordBytes() {
            return ValueFileDescriptor.recordBytes(keyLength, valueLength);
        }
    }

    private ValueFileDescriptor() {}

    static void encodeHeader(long id, ByteWriter out) {
        int start = out.size();
        out.putLong(MAGIC);
        out.putInt(VERSION);
        out.putInt(0);
        out.putLong(id);
        out.putInt(Checksum.of(HEADER_SEED, out.array(), start, HEADER_CHECKSUM_AT));
        out.putInt(0);
    }

    static void encodeFooter(long records, long id, ByteWriter out) {
        int start = out.size();
        out.putLong(records);
        out.putLong(id);
        out.putInt(VERSION);
        out.putInt(Checksum.of(FOOTER_SEED, out.array(), start, FOOTER_CHECKSUM_AT));
        out.putLong(MAGIC);
    }

    /// @param offset of the record
    static void encodeHead(long id, long offset, byte[] key, Head head, ByteWriter out) {
        int start = out.size();
        out.putInt(0);
        out.putInt(head.keyLength());
        out.putInt(head.valueLength());
        out.putInt(head.valueChecksum());
        out.putBytes(key, 0, head.keyLength());
        out.setInt(start, Checksum.of(seed(id, offset), out.array(), start + Integer.BYTES, out.size() - start - 4));
    }

    static long recordBytes(long keyLength, long valueLength) {
        return RECORD_HEAD_BYTES + keyLength + valueLength;
    }

    /// @param offset of the checksummed part
    static long seed(long id, long offset) {
        return id ^ offset;
    }

    /// Checks the header of a file.
    ///
    /// @return its id
    static long checkHeader(MemorySegment file, String name) {
        if (file.byteSize() < HEADER_BYTES + FOOTER_BYTES) {
            throw new EngineException.Corruption(
                    name, 0, "only " + file.byteSize() + " bytes: too short for a value file");
        }
        ByteReader header = new ByteReader(file);
        if (header.getLong() != MAGIC) {
            throw new EngineException.Corruption(name, 0, "it does not begin like a value file");
        }
        int version = header.getInt();
        if (file.get(ByteReader.INT, HEADER_CHECKSUM_AT) != Checksum.of(HEADER_SEED, file, 0, HEADER_CHECKSUM_AT)) {
            throw new EngineException.Corruption(name, 0, "the checksum of its header does not match");
        }
        if (version > VERSION) {
            throw new EngineException.CannotOpen(name + " has format version " + version
                    + ", this version of Kvant knows " + VERSION + ": use the version that wrote it");
        }
        if (version != VERSION || file.get(ByteReader.INT, HEADER_BYTES - 4) != 0) {
            throw new EngineException.Corruption(name, 0, "its header is not valid");
        }
        return file.get(ByteReader.LONG, ID_AT);
    }

    /// Checks the footer of a file; its header has been checked.
    ///
    /// @return number of its records
    static long checkFooter(MemorySegment file, long id, String name) {
        long start = file.byteSize() - FOOTER_BYTES;
        ByteReader in = new ByteReader(file.asSlice(start));
        long records = in.getLong();
        boolean intact = in.getLong() == id
                && in.getInt() == VERSION
                && in.getInt() == Checksum.of(FOOTER_SEED, file, start, FOOTER_CHECKSUM_AT)
                && in.getLong() == MAGIC;
        if (!intact) {
            throw new EngineException.Corruption(name, start, "the checksum of its footer does not match");
        }
        return records;
    }

    /// The head of a record, which is checked with the key.
    ///
    /// @param at where the record begins
    static Head checkHead(MemorySegment file, long at, long id, String name) {
        long end = file.byteSize() - FOOTER_BYTES;
        if (at < HEADER_BYTES || at > end - RECORD_HEAD_BYTES) {
            throw new EngineException.Corruption(name, at, "a record does not lie within the file");
        }
        int checksum = file.get(ByteReader.INT, at);
        Head head = new Head(
                file.get(ByteReader.INT, at + 4), file.get(ByteReader.INT, at + 8), file.get(ByteReader.INT, at + 12));
        boolean within = head.keyLength() >= 0 && head.valueLength() >= 0 && at <= end - head.recordBytes();
        long covered = RECORD_HEAD_BYTES - Integer.BYTES + (long) head.keyLength();
        if (!within || checksum != Checksum.of(seed(id, at), file, at + Integer.BYTES, covered)) {
            throw new EngineException.Corruption(name, at, "the checksum of a record's head does not match");
        }
        return head;
    }
}
