package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;

/// Layout of a table file: header, blocks, footer.
///
/// Format document: docs/formats/table.md
///
///     header   magic (8) version (4) zero (4)
///     block    content, then trailer: compression (1) checksum of content and compression (4)
///     ...      data blocks of a partition, the partition; the next ones; index of the partitions, properties
///     footer   0  data blocks (8) zero (4)   12 index offset (8) length (4)
///              24 properties offset (8) length (4)   36 version (4)   40 table id (8)
///              48 compressions (4)   52 checksum of 0..52 (4)   56 magic (8)
///
/// In version 1 all data blocks came first, then one filter and one index of them, and the footer began with
/// the offset (8) and length (4) of the filter.
///
/// Checksums of blocks are seeded with the table's id and the block's offset: a block of another table, or of
/// another place, is not valid.
final class TableDescriptor {

    static final int VERSION = 2;

    /// One filter and one index for all data blocks.
    static final int UNPARTITIONED = 1;

    static final int HEADER_BYTES = 16;
    static final int TRAILER_BYTES = 5;
    static final int FOOTER_BYTES = 64;
    static final int COMPRESSION_NONE = 0;

    private static final long MAGIC = 0x4C425454_4E41564BL; // "KVANTTBL" in little-endian order
    private static final long FOOTER_SEED = 0x666F6F7465720000L;
    private static final int HEADER_VERSION_AT = 8;
    private static final int FOOTER_VERSION_AT = 36;
    private static final int FOOTER_CHECKSUM_AT = 52;

    /// The content of the footer.
    ///
    /// @param blocks in version 1, the location of the filter; since then, the number of data blocks, and 0
    /// @param index of the partitions, or in version 1 of the data blocks
    /// @param compressions [Compression#flag] of every compression that a data block has; 0 when all are plain
    record Footer(
            BlockHandle blocks,
            BlockHandle index,
            BlockHandle properties,
            int version,
            long tableId,
            int compressions) {

        boolean isPartitioned() {
            return version > UNPARTITIONED;
        }
    }

    private TableDescriptor() {}

    static void encodeHeader(ByteWriter out) {
        out.putLong(MAGIC);
        out.putInt(VERSION);
        out.putInt(0);
    }

    static void encodeTrailer(int compression, Checksum checksum, ByteWriter out) {
        out.putByte(compression);
        out.putInt(checksum.add(new byte[] {(byte) compression}, 0, 1).value());
    }

    static void encodeFooter(Footer footer, ByteWriter out) {
        int start = out.size();
        encodeHandle(footer.blocks(), out);
        encodeHandle(footer.index(), out);
        encodeHandle(footer.properties(), out);
        out.putInt(footer.version());
        out.putLong(footer.tableId());
        out.putInt(footer.compressions());
        out.putInt(Checksum.of(FOOTER_SEED, out.array(), start, FOOTER_CHECKSUM_AT));
        out.putLong(MAGIC);
    }

    /// Checks the header of a file.
    static void checkHeader(MemorySegment file, String name) {
        if (file.byteSize() < HEADER_BYTES + FOOTER_BYTES) {
            throw new EngineException.Corruption(name, 0, "only " + file.byteSize() + " bytes: too short for a table");
        }
        ByteReader header = new ByteReader(file);
        if (header.getLong() != MAGIC) {
            throw new EngineException.Corruption(name, 0, "it does not begin like a table");
        }
        int version = header.getInt();
        if (version > VERSION && !isFooter(file)) {
            throw new EngineException.CannotOpen(name + " has format version " + version
                    + ", this version of Kvant knows " + VERSION + ": use the version that wrote it");
        }
        if (version < UNPARTITIONED || version > VERSION || header.getInt() != 0) {
            throw new EngineException.Corruption(name, 0, "its header is not valid");
        }
    }

    /// Whether the file ends with an undamaged footer of a known version, regardless of its header.
    private static boolean isFooter(MemorySegment file) {
        long start = file.byteSize() - FOOTER_BYTES;
        return file.get(ByteReader.INT, start + FOOTER_VERSION_AT) <= VERSION
                && file.get(ByteReader.INT, start + FOOTER_CHECKSUM_AT)
                        == Checksum.of(FOOTER_SEED, file, start, FOOTER_CHECKSUM_AT);
    }

    /// Reads the footer of a file; its header has been checked.
    static Footer decodeFooter(MemorySegment file, String name) {
        long start = file.byteSize() - FOOTER_BYTES;
        ByteReader in = new ByteReader(file.asSlice(start));
        Footer footer = new Footer(handle(in), handle(in), handle(in), in.getInt(), in.getLong(), in.getInt());
        boolean intact =
                in.getInt() == Checksum.of(FOOTER_SEED, file, start, FOOTER_CHECKSUM_AT) && in.getLong() == MAGIC;
        intact &= Long.compareUnsigned(footer.blocks().offset(), start) < 0; // each block takes several bytes
        if (!intact || footer.version() != file.get(ByteReader.INT, HEADER_VERSION_AT)) {
            throw new EngineException.Corruption(name, start, "the checksum of its footer does not match");
        }
        requireKnown(footer.compressions(), name);
        return footer;
    }

    /// Loads the libraries for the table's blocks, so that a table that cannot be read is not opened.
    private static void requireKnown(int compressions, String name) {
        int unknown = compressions;
        for (Compression compression : Compression.values()) {
            if ((compressions & compression.flag()) != 0) {
                CompressedContent.require(compression, name);
                unknown &= ~compression.flag();
            }
        }
        if (unknown != 0) {
            throw new EngineException.CannotOpen(name
                    + " has blocks in a compression that this version of Kvant does not know:"
                    + " use the version that wrote it");
        }
    }

    /// @throws EngineException.Corruption when the block does not lie within the file or its checksum does
    ///     not match
    static void checkBlock(MemorySegment file, BlockHandle handle, long tableId, String name) {
        checkBlock(file, handle.offset(), handle.length(), tableId, name);
    }

    static void checkBlock(MemorySegment file, long offset, int length, long tableId, String name) {
        requireWithin(file, offset, length, name);
        int expected = file.get(ByteReader.INT, offset + length + 1);
        if (expected != Checksum.of(blockSeed(tableId, offset), file, offset, length + 1L)) {
            throw new EngineException.Corruption(name, offset, "the checksum of a block does not match");
        }
        int compression = file.get(ValueLayout.JAVA_BYTE, offset + length);
        if (compression != COMPRESSION_NONE) {
            throw new EngineException.Corruption(name, offset, "unknown compression " + compression);
        }
    }

    static void requireWithin(MemorySegment file, long offset, int length, String name) {
        long blocksEnd = file.byteSize() - FOOTER_BYTES;
        if (offset < HEADER_BYTES || length < 0 || offset > blocksEnd - length - TRAILER_BYTES) {
            throw new EngineException.Corruption(name, offset, "a block does not lie within the file");
        }
    }

    static long blockSeed(long tableId, long offset) {
        return tableId ^ offset;
    }

    private static void encodeHandle(BlockHandle handle, ByteWriter out) {
        out.putLong(handle.offset());
        out.putInt(handle.length());
    }

    private static BlockHandle handle(ByteReader in) {
        return new BlockHandle(in.getLong(), in.getInt());
    }
}
