package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DistributionTest {

    @Test
    void quantilesAreRightToAnEighth() {
        Distribution distribution = new Distribution(1);
        LongStream.rangeClosed(1, 100_000).forEach(distribution::record);
        for (double share : new double[] {0.001, 0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
            assertThat(distribution.quantile(share)).isCloseTo(share * 100_000, withPercentage(12.5));
        }
        assertThat(distribution.count()).isEqualTo(100_000);
        assertThat(distribution.sum()).isEqualTo(100_000.0 * 100_001 / 2);
    }

    @Test
    void smallValuesAreExact() {
        for (long value = 0; value < 16; value++) {
            Distribution distribution = new Distribution(1);
            distribution.record(value);
            assertThat(distribution.quantile(1)).isEqualTo(value);
            assertThat(distribution.countUpTo(value)).isEqualTo(1);
            assertThat(distribution.countUpTo(value - 1)).isZero();
        }
    }

    @Test
    void everyLongHasABucketThatIsAtMostAnEighthWide() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(60);
            Distribution distribution = new Distribution(1);
            distribution.record(value);
            assertThat(distribution.quantile(1)).isBetween((double) value, value * 1.126 + 1);
        }
        Distribution largest = new Distribution(1);
        largest.record(Long.MAX_VALUE);
        largest.record(-5);
        assertThat(largest.count()).isEqualTo(2);
        assertThat(largest.countUpTo(0)).isEqualTo(1);
    }

    @Test
    void theUnitIsThatOfTheMetric() {
        Distribution nanos = new Distribution(1e-9);
        nanos.record(2_000_000_000);
        assertThat(nanos.sum()).isCloseTo(2, withPercentage(0.001));
        assertThat(nanos.quantile(0.5)).isCloseTo(2, withPercentage(12.5));
        assertThat(nanos.countUpTo(1)).isZero();
        assertThat(nanos.countUpTo(2.5)).isEqualTo(1);
    }

    @Test
    void emptyIsZero() {
        assertThat(new Distribution(1).quantile(0.99)).isZero();
        assertThat(new Distribution(1).count()).isZero();
    }
}
