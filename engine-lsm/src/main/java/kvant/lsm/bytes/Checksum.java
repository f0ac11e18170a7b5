package kvant.lsm.bytes;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// CRC32C (Castagnoli; RFC 3720, appendix B.4), seeded: the seed's eight bytes go first, so that bytes which
/// are valid in one place are not valid in another.
public final class Checksum {

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

    public static int of(long seed, MemorySegment segment, long offset, long length) {
        Checksum checksum = new Checksum().seed(seed);
        checksum.crc.update(segment.asSlice(offset, length).asByteBuffer());
        return checksum.value();
    }
}
