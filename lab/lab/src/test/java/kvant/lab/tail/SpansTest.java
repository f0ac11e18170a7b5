package kvant.lab.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Sets of stretches of time, against sets of their moments.
class SpansTest {

    private static final int MOMENTS = 200;

    @Test
    void overlapsAreCountedOnceHoweverTheStretchesWereAdded() {
        Spans.Builder builder = new Spans.Builder();
        builder.add(50, 60);
        builder.add(10, 20);
        builder.add(15, 30);
        builder.add(30, 31);
        builder.add(40, 40);
        builder.add(90, 80);
        Spans spans = builder.spans();

        assertThat(spans.count()).isEqualTo(2);
        assertThat(spans.overlap(0, 100)).isEqualTo(31);
        assertThat(spans.overlap(12, 16)).isEqualTo(4);
        assertThat(spans.overlap(31, 50)).isZero();
        assertThat(spans.overlap(29, 51)).isEqualTo(3);
        assertThat(spans.overlaps(31, 50)).isFalse();
        assertThat(spans.overlaps(30, 31)).isTrue();
        assertThat(Spans.NONE.overlap(0, 100)).isZero();
    }

    @Test
    void agreesWithSetsOfMoments() {
        long seed = Long.getLong("kvant.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            BitSet a = new BitSet();
            BitSet b = new BitSet();
            Spans spansA = drawn(random, a);
            Spans spansB = drawn(random, b);
            BitSet rest = copy(a);
            rest.andNot(b);
            BitSet both = copy(a);
            both.or(b);
            int from = random.nextInt(MOMENTS);
            int to = from + random.nextInt(MOMENTS);

            assertThat(spansA.overlap(from, to))
                    .as("seed %d", seed)
                    .isEqualTo(a.get(from, to).cardinality());
            assertThat(spansA.without(spansB).overlap(from, to))
                    .as("without, seed %d", seed)
                    .isEqualTo(rest.get(from, to).cardinality());
            assertThat(spansA.and(spansB).overlap(from, to))
                    .as("and, seed %d", seed)
                    .isEqualTo(both.get(from, to).cardinality());
        }
    }

    private static Spans drawn(Random random, BitSet moments) {
        Spans.Builder builder = new Spans.Builder();
        for (int count = random.nextInt(25); count > 0; count--) {
            int from = random.nextInt(MOMENTS);
            int to = from + random.nextInt(10);
            builder.add(from, to);
            moments.set(from, to);
        }
        return builder.spans();
    }

    private static BitSet copy(BitSet set) {
        return (BitSet) set.clone();
    }
}
