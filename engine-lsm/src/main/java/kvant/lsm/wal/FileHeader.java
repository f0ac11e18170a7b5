package kvant.lsm.wal;

import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;

/// The header of a record file, and its layout.
///
/// Format document: docs/formats/wal.md
///
///     0  magic (8)            8  version (4)         12 zero (4)
///     16 id (8)               24 number (8)          32 predecessor number (8)
///     40 predecessor size (8) 48 predecessor last sequence (8)
///     56 zero (4)             60 checksum of 0..60 (4)
///
/// @param kind of its content
/// @param version of the format; a newer one is written only where the content needs it
/// @param id a random number that seeds the checksums of its records: records of another file are not valid here
/// @param number its number within the store, as in its name
/// @param predecessor the file before it
public record FileHeader(Kind kind, int version, long id, long number, Predecessor predecessor) {

    public static final int FIRST_VERSION = 1;

    static final int BYTES = 64;
    private static final int CHECKSUM_AT = 60;
    private static final long SEED = 0x6865616465720000L;

    /// Of the first version.
    public FileHeader(Kind kind, long id, long number, Predecessor predecessor) {
        this(kind, FIRST_VERSION, id, number, predecessor);
    }

    /// The kind of a record file's content.
    public enum Kind {
        LOG(0x474F4C54_4E41564BL, 1, "write-ahead log"), // "KVANTLOG" in little-endian order
        MANIFEST(0x4E414D54_4E41564BL, 3, "manifest"); // "KVANTMAN"

        private final long magic;
        private final int newestVersion;
        private final String title;

        Kind(long magic, int newestVersion, String title) {
            this.magic = magic;
            this.newestVersion = newestVersion;
            this.title = title;
        }
    }

    /// The file that was finished when this one was begun.
    ///
    /// @param number 0 for none
    /// @param size its size in bytes when it was finished: all of it had been synced, and nothing but an end
    ///     record may follow, which a power cut may have lost
    /// @param lastSequence the last sequence number in it or before it
    public record Predecessor(long number, long size, long lastSequence) {
        public static final Predecessor NONE = new Predecessor(0, 0, 0);
    }

    void encode(ByteWriter out) {
        int start = out.size();
        out.putLong(kind.magic);
        out.putInt(version);
        out.putInt(0);
        out.putLong(id);
        out.putLong(number);
        out.putLong(predecessor.number());
        out.putLong(predecessor.size());
        out.putLong(predecessor.lastSequence());
        out.putInt(0);
        out.putInt(Checksum.of(SEED, out.array(), start, CHECKSUM_AT));
    }

    /// @param file its name, for messages
    static FileHeader decode(MemorySegment bytes, Kind kind, String file) {
        if (bytes.byteSize() < BYTES) {
            throw new EngineException.Corruption(
                    file, 0, "only " + bytes.byteSize() + " bytes of a header of " + BYTES);
        }
        ByteReader in = new ByteReader(bytes);
        if (in.getLong() != kind.magic) {
            throw new EngineException.Corruption(file, 0, "it does not begin like a " + kind.title);
        }
        int version = in.getInt();
        if (bytes.get(ByteReader.INT, CHECKSUM_AT) != Checksum.of(SEED, bytes, 0, CHECKSUM_AT)) {
            throw new EngineException.Corruption(file, 0, "the checksum of its header does not match");
        }
        if (version > kind.newestVersion) {
            throw new EngineException.CannotOpen(file + " has format version " + version
                    + ", this version of Kvant knows " + kind.newestVersion + ": use the version that wrote it");
        }
        in.getInt();
        long id = in.getLong();
        long number = in.getLong();
        return new FileHeader(kind, version, id, number, new Predecessor(in.getLong(), in.getLong(), in.getLong()));
    }
}
