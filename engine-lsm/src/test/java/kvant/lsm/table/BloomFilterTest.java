package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.bytes.Keys;
import org.junit.jupiter.api.Test;

class BloomFilterTest {

    private static final int ABSENT = 200_000;

    @Test
    void noKeyThatWasAddedIsEverDeniedAndFewOthersAreLetThrough() {
        for (int keys : new int[] {1, 10, 51, 52, 1_000, 100_000, 1_000_000}) {
            MemorySegment filter = filter(keys);
            for (int key = 0; key < keys; key++) {
                assertThat(BloomFilter.mayContain(filter, hash(key))).isTrue();
            }
            int letThrough = 0;
            for (int key = keys; key < keys + ABSENT; key++) {
                letThrough += BloomFilter.mayContain(filter, hash(key)) ? 1 : 0;
            }
            assertThat((double) letThrough / ABSENT)
                    .as("false positives with %d keys", keys)
                    .isLessThan(0.02);
        }
    }

    @Test
    void tenBitsAKey() {
        assertThat(filter(100_000).byteSize()).isBetween(125_000L, 125_064L);
        assertThat(filter(0).byteSize()).isEqualTo(64);
    }

    /// The golden files have filters of one line only.
    @Test
    void theFilterOfTheSameKeysIsTheSameInEveryVersion() {
        MemorySegment filter = filter(10_000);
        assertThat(Checksum.of(0, filter, 0, filter.byteSize())).isEqualTo(-888_787_959);
    }

    private static MemorySegment filter(int keys) {
        long[] hashes = new long[keys];
        for (int key = 0; key < keys; key++) {
            hashes[key] = hash(key);
        }
        ByteWriter out = new ByteWriter(64);
        BloomFilter.encode(hashes, keys, out);
        return MemorySegment.ofArray(out.toByteArray());
    }

    private static long hash(int key) {
        byte[] bytes = ByteBuffer.allocate(9).put((byte) 'k').putLong(key).array();
        return Keys.hash(bytes);
    }
}
