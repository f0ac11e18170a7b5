package kvant.lsm.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import kvant.lsm.Seeds;
import org.junit.jupiter.api.Test;

class KeysTest {

    private static final long SEED = Seeds.seed(11);

    @Test
    void bytesAreUnsignedAndAPrefixComesFirst() {
        assertThat(Keys.compare(new byte[] {(byte) 0x80}, new byte[] {0x7F})).isPositive();
        assertThat(Keys.compare(new byte[] {1}, new byte[] {1, 0})).isNegative();
        assertThat(Keys.compare(new byte[] {}, new byte[] {0})).isNegative();
        assertThat(Keys.compare(new byte[] {1, 2}, new byte[] {1, 2})).isZero();
    }

    @Test
    void aKeyInMemoryComparesLikeTheSameKeyInAnArray() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] a = Seeds.key(random, 12);
            byte[] b = Seeds.key(random, 12);
            byte[] padded = new byte[b.length + 5];
            System.arraycopy(b, 0, padded, 3, b.length);
            int order = Keys.compare(a, MemorySegment.ofArray(padded), 3, b.length);
            assertThat(Integer.signum(order))
                    .as("seed %d, case %d", SEED, i)
                    .isEqualTo(Integer.signum(Keys.compare(a, b)));
        }
    }

    @Test
    void prefixesOrderLikeTheirKeys() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            byte[] a = Seeds.key(random, 12);
            byte[] b = Seeds.key(random, 12);
            int order = Long.compareUnsigned(Keys.prefix(a, 0, a.length), Keys.prefix(b, 0, b.length));
            if (order != 0) {
                assertThat(Integer.signum(order))
                        .as("seed %d, case %d", SEED, i)
                        .isEqualTo(Integer.signum(Keys.compare(a, b)));
            }
        }
    }

    @Test
    void aPrefixIsTheFirstEightBytesPaddedWithZeros() {
        byte[] key = {9, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        assertThat(Keys.prefix(key, 1, 9)).isEqualTo(0x0102030405060708L);
        assertThat(Keys.prefix(key, 1, 8)).isEqualTo(0x0102030405060708L);
        assertThat(Keys.prefix(key, 1, 3)).isEqualTo(0x0102030000000000L);
        assertThat(Keys.prefix(key, 1, 0)).isZero();
    }
}
