package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;

/// A blocked Bloom filter (Putze, Sanders, Singler: "Cache-, Hash- and Space-Efficient Bloom Filters", 2007):
/// all bits of a key lie in one cache line, so that a probe costs one memory access.
///
/// Format document: docs/formats/table.md
///
/// With ten bits per key the false positive rate is about 1 %. The hash is XXH3 (64 bits).
final class BloomFilter {

    static final int LINE_BYTES = 64;

    private static final int LINE_BITS = LINE_BYTES * Byte.SIZE;
    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 6;

    private BloomFilter() {}

    /// The size of a filter over this many keys.
    static int lines(int keys) {
        return (int) Math.max(1, ((long) keys * BITS_PER_KEY + LINE_BITS - 1) / LINE_BITS);
    }

    /// Builds a filter over these hashes.
    static void encode(long[] hashes, int count, ByteWriter out) {
        int lines = lines(count);
        long[] words = new long[lines * (LINE_BYTES / Long.BYTES)];
        for (int i = 0; i < count; i++) {
            int firstWord = line(hashes[i], lines) * (LINE_BYTES / Long.BYTES);
            long probe = hashes[i];
            for (int j = 0; j < PROBES; j++) {
                int bit = bit(probe);
                words[firstWord + (bit >>> 6)] |= 1L << bit;
                probe = Long.rotateRight(probe, 9);
            }
        }
        for (long word : words) {
            out.putLong(word);
        }
    }

    /// @return false when no key with this hash was added; true when one may have been
    static boolean mayContain(MemorySegment filter, long hash) {
        return mayContain(filter, 0, (int) (filter.byteSize() / LINE_BYTES), hash);
    }

    /// @param filter where the filter is, from `at` on
    static boolean mayContain(MemorySegment filter, long at, int lines, long hash) {
        long line = at + (long) line(hash, lines) * LINE_BYTES;
        long probe = hash;
        for (int j = 0; j < PROBES; j++) {
            int bit = bit(probe);
            long word = filter.get(ByteReader.LONG, line + (bit >>> 6) * (long) Long.BYTES);
            if ((word & 1L << bit) == 0) {
                return false;
            }
            probe = Long.rotateRight(probe, 9);
        }
        return true;
    }

    /// The upper half of the hash chooses the line; the bits come from rotations of all of it.
    private static int line(long hash, int lines) {
        return (int) ((hash >>> 32) * lines >>> 32);
    }

    private static int bit(long probe) {
        return (int) probe & LINE_BITS - 1;
    }
}
