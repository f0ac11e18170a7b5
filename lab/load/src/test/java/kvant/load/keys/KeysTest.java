package kvant.load.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {

    private static final int DRAWS = 400_000;

    private static KeyChooser chooser(String plan, long keys) {
        return new KeyChooser(KeyPlan.parse(plan), keys, keys, 0, 1, new SplitMix64(7));
    }

    private static long[] counts(KeyChooser chooser, int keys) {
        long[] counts = new long[keys];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) chooser.next()]++;
        }
        return counts;
    }

    /// The statistic of Pearson's test, in standard deviations above what chance gives.
    private static double surprise(long[] counts, double[] expected) {
        double sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
        }
        int degrees = counts.length - 1;
        return (sum - degrees) / Math.sqrt(2.0 * degrees);
    }

    @Test
    void uniformKeysPassAChiSquareTest() {
        double[] expected = new double[1000];
        Arrays.fill(expected, DRAWS / 1000.0);

        assertThat(surprise(counts(chooser("uniform", 1000), 1000), expected)).isBetween(-4.0, 4.0);
    }

    @Test
    void ranksFollowZipfsLaw() {
        Zipfian zipfian = new Zipfian(1000, Zipfian.YCSB_THETA);
        SplitMix64 random = new SplitMix64(11);
        long[] counts = new long[1000];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) zipfian.next(random)]++;
        }
        double zeta = Zipfian.zeta(1000, Zipfian.YCSB_THETA);

        // The first two ranks are exact; the rest is an integral, whose sums over a range are near.
        assertThat(counts[0] / (double) DRAWS).isCloseTo(1 / zeta, within(0.003));
        assertThat(counts[1] / (double) DRAWS).isCloseTo(Math.pow(2, -0.99) / zeta, within(0.003));
        for (int upTo : new int[] {10, 100, 500}) {
            long seen = 0;
            for (int i = 0; i < upTo; i++) {
                seen += counts[i];
            }
            assertThat(seen / (double) DRAWS)
                    .as("share of the first %d", upTo)
                    .isCloseTo(Zipfian.zeta(upTo, Zipfian.YCSB_THETA) / zeta, within(0.02));
        }
    }

    @Test
    void theSumOverTenBillionRanksIsThatOfYcsb() {
        assertThat(Zipfian.zeta(KeyChooser.SCRAMBLED_RANKS, 0.99)).isCloseTo(26.46902820178302, within(1e-4));
    }

    @Test
    void zipfianKeysAreScatteredAndSkewed() {
        long[] counts = counts(chooser("zipfian", 1000), 1000);
        int hottest = 0;
        for (int i = 0; i < counts.length; i++) {
            hottest = counts[i] > counts[hottest] ? i : hottest;
        }

        assertThat(hottest).isEqualTo((int) Long.remainderUnsigned(KeyChooser.fnv(0), 1000));
        assertThat(counts[hottest] / (double) DRAWS).isCloseTo(1 / 26.469, within(0.004));
        assertThat(counts).doesNotContain(0);
    }

    @Test
    void aHotSetGetsItsShare() {
        long[] counts = counts(chooser("hot=0.1:0.9", 1000), 1000);
        long hot = 0;
        for (int i = 0; i < 100; i++) {
            hot += counts[i];
        }

        assertThat(hot / (double) DRAWS).isCloseTo(0.9, within(0.005));
        assertThat(counts).doesNotContain(0);
    }

    @Test
    void theLatestAreTheNewest() {
        KeyChooser chooser = chooser("latest", 1000);
        for (int i = 0; i < 10; i++) {
            chooser.stored(chooser.insert());
        }
        long[] counts = new long[1010];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) chooser.next()]++;
        }

        assertThat(counts[1009]).isGreaterThan(counts[1008]).isGreaterThan(DRAWS / 10);
        assertThat(counts[1008]).isGreaterThan(counts[1000]);
        assertThat(counts[999]).isGreaterThan(counts[500]);
    }

    @Test
    void theLatestDoNotIncludeWhatIsNotAcknowledged() {
        KeyChooser chooser = chooser("latest", 1000);
        List<Long> inserts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            inserts.add(chooser.insert());
        }
        chooser.stored(inserts.get(7)); // answers come in any order
        chooser.stored(inserts.get(3));
        long[] counts = new long[1010];
        for (int i = 0; i < DRAWS; i++) {
            counts[(int) chooser.next()]++;
        }

        assertThat(counts[1003]).isGreaterThan(counts[1007]);
        assertThat(counts[1007]).isGreaterThan(counts[999]);
        assertThat(counts[999]).isPositive();
        assertThat(IntStream.range(1000, 1010).filter(key -> counts[key] > 0)).containsExactly(1003, 1007);
    }

    @Test
    void theLatestAreTheLastOfManyInserts() {
        KeyChooser chooser = chooser("latest", 1_000_000);
        for (int i = 0; i < 2 * KeyChooser.NEWEST + 5; i++) {
            chooser.stored(chooser.insert());
        }
        long oldest = 1_000_000 + KeyChooser.NEWEST + 5;
        for (int i = 0; i < DRAWS; i++) {
            long key = chooser.next();
            assertThat(key < 1_000_000 || key >= oldest).as("key %d", key).isTrue();
        }
    }

    @Test
    void sequentialThreadsShareTheKeysOutAndBeginAgain() {
        Set<Long> seen = new HashSet<>();
        for (int thread = 0; thread < 3; thread++) {
            KeyChooser chooser = new KeyChooser(KeyPlan.SEQUENTIAL, 10, 10, thread, 3, new SplitMix64(1));
            int share = thread == 0 ? 4 : 3;
            for (int i = 0; i < share; i++) {
                assertThat(seen.add(chooser.next())).isTrue();
            }
            assertThat(chooser.next()).isEqualTo(thread);
        }
        assertThat(seen).hasSize(10);
    }

    @Test
    void insertedKeysAreUniqueAcrossThreads() {
        Set<Long> seen = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            KeyChooser chooser = new KeyChooser(KeyPlan.UNIFORM, 100, 100, thread, 4, new SplitMix64(1));
            for (int i = 0; i < 1000; i++) {
                assertThat(seen.add(chooser.insert())).isTrue();
            }
        }
        assertThat(seen).hasSize(4000).doesNotContain(99L).contains(100L, 4099L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uniform", "zipfian", "zipfian=0.5", "latest", "hot=0.2:0.8", "sequential"})
    void aSeedReproducesTheKeys(String plan) {
        KeyChooser first = chooser(plan, 1_000_000);
        KeyChooser second = chooser(plan, 1_000_000);
        for (int i = 0; i < 1000; i++) {
            assertThat(first.next()).isEqualTo(second.next()).isBetween(0L, 999_999L);
        }
        assertThat(KeyPlan.parse(KeyPlan.parse(plan).toString())).isEqualTo(KeyPlan.parse(plan));
    }

    @Test
    void streamsOfOneSeedDiffer() {
        Set<Long> seen = new HashSet<>();
        for (int stream = 0; stream < 1000; stream++) {
            assertThat(seen.add(SplitMix64.of(1, stream).nextLong())).isTrue();
            assertThat(seen.add(SplitMix64.of(2, stream).nextLong())).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zipf", "zipfian=1.5", "zipfian=x", "hot", "hot=0.1", "hot=2:0.5", "uniform=3", ""})
    void anUnknownPlanIsRefused(String plan) {
        assertThatThrownBy(() -> KeyPlan.parse(plan)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keysSortAsTheirNumbersAndAMissingOneLiesBetween() {
        byte[] into = new byte[64];
        int end = KeyText.write("k".getBytes(StandardCharsets.US_ASCII), 4, 42, false, into, 0);
        String key = new String(into, 0, end, StandardCharsets.US_ASCII);
        end = KeyText.write("k".getBytes(StandardCharsets.US_ASCII), 4, 42, true, into, 0);
        String missing = new String(into, 0, end, StandardCharsets.US_ASCII);

        assertThat(key).isEqualTo("k0042");
        assertThat(missing).isEqualTo("k0042x").isGreaterThan(key).isLessThan("k0043");
    }

    @Test
    void aValueIsToldFromThatOfAnotherKeyAndFromADamagedOne() {
        byte[] value = new byte[3 << 20];
        Values.write(17, value.length, value, 0);
        assertThat(Values.matches(17, 0, value, 0, value.length)).isTrue();
        assertThat(Values.matches(17, 1000, value, 1000, 5000)).isTrue();

        assertThat(Values.matches(18, 0, value, 0, 100)).isFalse();
        assertThat(Values.matches(17, 1, value, 0, 100)).isFalse();
        value[2 << 20] ^= 1;
        assertThat(Values.matches(17, 0, value, 0, value.length)).isFalse();
    }

    @Test
    void valueSizesFollowTheirWeights() {
        ValueSizes sizes = ValueSizes.parse("64:0.9,1KiB-2KiB:0.1");
        SplitMix64 random = new SplitMix64(3);
        int small = 0;
        for (int i = 0; i < 100_000; i++) {
            int size = sizes.next(random);
            assertThat(sizes.allows(size)).isTrue();
            small += size == 64 ? 1 : 0;
        }

        assertThat(small / 100_000.0).isCloseTo(0.9, within(0.005));
        assertThat(sizes.allows(65)).isFalse();
        assertThat(sizes.most()).isEqualTo(2048);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "65MiB", "4k", "4kB-4K", "10,20", "10:0", "20-10", "1-2-3", "x", "1:2:3"})
    void anImpossibleSizeIsRefused(String sizes) {
        assertThatThrownBy(() -> ValueSizes.parse(sizes)).isInstanceOf(IllegalArgumentException.class);
    }
}
