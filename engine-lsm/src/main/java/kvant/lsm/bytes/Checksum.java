package kvant.lsm.bytes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/// CRC32C (Castagnoli; RFC 3720, appendix B.4), seeded: the seed's eight bytes go first, so that bytes which
/// are valid in one place are not valid in another.
public final class Checksum {

    /// Mapped bytes are checked by way of an array of this size.
    private static final int PIECE_BYTES = 8 << 10;

    private final CRC32C crc = new CRC32C();

    public Checksum seed(long seed) {
        crc.reset();
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (seed >>> shift));
        }
        return this;
    }

    public Checksum add(byte[] bytes, int offset, int length) {
        crc.update(bytes, offset, length);
        return this;
    }

    public int value() {
        return (int) crc.getValue();
    }

    public static int of(long seed, byte[] bytes, int offset, int length) {
        return new Checksum().seed(seed).add(bytes, offset, length).value();
    }

    /// Copies piece by piece instead of handing the segment to the CRC: the JDK's CRC code cannot handle a
    /// mapped file that has been truncated, and would crash the process (SIGBUS). Copying throws
    /// [InternalError] instead.
    public static int of(long seed, MemorySegment segment, long offset, long length) {
        Checksum checksum = new Checksum().seed(seed);
        byte[] piece = new byte[(int) Math.min(length, PIECE_BYTES)];
        for (long done = 0; done < length; done += piece.length) {
            int part = (int) Math.min(length - done, piece.length);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset + done, piece, 0, part);
            checksum.add(piece, 0, part);
        }
        return checksum.value();
    }
}
