package kvant.lsm.wal;

import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;

/// Layout of the header that every record file begins with.
///
/// Format document: docs/formats/wal.md
///
///     0  magic (8)            8  version (4)         12 zero (4)
///     16 id (8)               24 number (8)          32 predecessor number (8)
///     40 predecessor size (8) 48 predecessor last sequence (8)
///     56 zero (4)             60 checksum of 0..60 (4)
final class FileHeaderDescriptor {

    static final int BYTES = 64;

    private static final int CHECKSUM_AT = 60;
    private static final long SEED = 0x6865616465720000L;

    private FileHeaderDescriptor() {}

    static void encode(FileHeader header, ByteWriter out) {
        int start = out.size();
        out.putLong(header.kind().magic());
        out.putInt(header.version());
        out.putInt(0);
        out.putLong(header.id());
        out.putLong(header.number());
        out.putLong(header.predecessor().number());
        out.putLong(header.predecessor().size());
        out.putLong(header.predecessor().lastSequence());
        out.putInt(0);
        out.putInt(Checksum.of(SEED, out.array(), start, CHECKSUM_AT));
    }

    /// @param file its name, for messages
    static FileHeader decode(MemorySegment bytes, FileHeader.Kind kind, String file) {
        if (bytes.byteSize() < BYTES) {
            throw new EngineException.Corruption(
                    file, 0, "only " + bytes.byteSize() + " bytes of a header of " + BYTES);
        }
        ByteReader in = new ByteReader(bytes);
        if (in.getLong() != kind.magic()) {
            throw new EngineException.Corruption(file, 0, "it does not begin like a " + kind.title());
        }
        int version = in.getInt();
        if (bytes.get(ByteReader.INT, CHECKSUM_AT) != Checksum.of(SEED, bytes, 0, CHECKSUM_AT)) {
            throw new EngineException.Corruption(file, 0, "the checksum of its header does not match");
        }
        if (version > kind.newestVersion()) {
            throw new EngineException.CannotOpen(file + " has format version " + version
                    + ", this version of Kvant knows " + kind.newestVersion() + ": use the version that wrote it");
        }
        in.getInt();
        long id = in.getLong();
        long number = in.getLong();
        return new FileHeader(
                kind, version, id, number, new FileHeader.Predecessor(in.getLong(), in.getLong(), in.getLong()));
    }
}
