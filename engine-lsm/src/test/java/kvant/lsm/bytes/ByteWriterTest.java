package kvant.lsm.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import kvant.lsm.Seeds;
import org.junit.jupiter.api.Test;

class ByteWriterTest {

    private static final long SEED = Seeds.seed(12);

    @Test
    void varintsRoundTripAtTheirBoundaries() {
        for (int bits = 0; bits <= 64; bits++) {
            for (int around = -1; around <= 1; around++) {
                long value = (bits == 64 ? 0 : 1L << bits) + around;
                ByteWriter out = new ByteWriter(1);
                out.putVarint(value);
                int significant = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(value));
                assertThat(out.size()).as("bytes of %d", value).isEqualTo((significant + 6) / 7);
                assertThat(reader(out).getVarint()).isEqualTo(value);
            }
        }
    }

    @Test
    void aVarintThatDoesNotEndIsRefused() {
        byte[] endless = new byte[20];
        Arrays.fill(endless, (byte) 0x80);
        assertThatThrownBy(() -> new ByteReader(MemorySegment.ofArray(endless)).getVarint())
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> new ByteReader(MemorySegment.ofArray(new byte[] {(byte) 0x80})).getVarint())
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void numbersAreLittleEndian() {
        ByteWriter out = new ByteWriter(0);
        out.putInt(0x04030201);
        out.putLong(0x0807060504030201L);
        assertThat(out.toByteArray()).containsExactly(1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8);
        out.setInt(0, 5);
        out.setLong(4, 6);
        ByteReader in = reader(out);
        assertThat(in.getInt()).isEqualTo(5);
        assertThat(in.getLong()).isEqualTo(6);
        assertThat(in.hasRemaining()).isFalse();
    }

    @Test
    void growsWithoutLosingAByte() {
        Random random = new Random(SEED);
        ByteWriter out = new ByteWriter(0);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        while (out.size() < 5 << 20) {
            byte[] piece = Seeds.bytes(random, random.nextInt(random.nextInt(10) == 0 ? 300_000 : 300));
            out.putBytes(piece);
            expected.writeBytes(piece);
            int skipped = out.skip(3);
            out.array()[skipped] = 7;
            out.array()[skipped + 1] = 8;
            out.array()[skipped + 2] = 9;
            expected.writeBytes(new byte[] {7, 8, 9});
        }
        assertThat(Arrays.equals(out.toByteArray(), expected.toByteArray()))
                .as("seed %d", SEED)
                .isTrue();
    }

    @Test
    void clearingGivesBackWhatHasGrown() {
        ByteWriter out = new ByteWriter(16);
        out.putBytes(new byte[100_000]);
        out.clear(64);
        assertThat(out.size()).isZero();
        assertThat(out.array()).hasSize(64);
    }

    @Test
    void sizedBytesThatClaimMoreThanThereIsAreRefusedBeforeTheyAreAllocated() {
        for (long claimed : new long[] {5, Integer.MAX_VALUE, Long.MAX_VALUE, -1}) {
            ByteWriter out = new ByteWriter(16);
            out.putVarint(claimed);
            out.putBytes(new byte[] {1, 2, 3, 4});
            assertThatThrownBy(() -> reader(out).getSized())
                    .as("claims %d", claimed)
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private static ByteReader reader(ByteWriter out) {
        return new ByteReader(MemorySegment.ofArray(out.toByteArray()));
    }
}
