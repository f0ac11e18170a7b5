package kvant.lsm.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32C;
import kvant.lsm.Seeds;
import org.junit.jupiter.api.Test;

class ChecksumTest {

    @Test
    void isCrc32cOfTheSeedAndTheBytes() {
        byte[] bytes = "123456789".getBytes(StandardCharsets.US_ASCII);
        CRC32C plain = new CRC32C();
        plain.update(new byte[] {8, 7, 6, 5, 4, 3, 2, 1});
        plain.update(bytes);
        assertThat(Checksum.of(0x0102030405060708L, bytes, 0, bytes.length)).isEqualTo((int) plain.getValue());
    }

    @Test
    void anotherSeedGivesAnotherChecksum() {
        byte[] bytes = new byte[100];
        assertThat(Checksum.of(1, bytes, 0, 100)).isNotEqualTo(Checksum.of(2, bytes, 0, 100));
    }

    @Test
    void aSegmentHasTheChecksumOfItsBytesWhateverItsLength() {
        byte[] bytes = Seeds.bytes(new Random(Seeds.seed(13)), 40_000);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(bytes.length);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
            for (int length : new int[] {0, 1, 8191, 8192, 8193, 16384, 39_990}) {
                assertThat(Checksum.of(5, segment, 7, length))
                        .as("%d bytes", length)
                        .isEqualTo(Checksum.of(5, bytes, 7, length));
            }
        }
    }
}
