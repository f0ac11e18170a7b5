package kvant.load.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinomialIntervalTest {

    /// As tables have them; the first and the last are 1 - 0.025^(1/n).
    @ParameterizedTest
    @CsvSource({
        "0, 42, 0, 0.0841",
        "1, 20, 0.0013, 0.2487",
        "5, 10, 0.1871, 0.8129",
        "19, 20, 0.7513, 0.9987",
        "42, 42, 0.9159, 1"
    })
    void theIntervalIsThatOfTheTables(int count, int of, double low, double high) {
        BinomialInterval interval = BinomialInterval.of(count, of, 0.95);

        assertThat(interval.low()).isCloseTo(low, within(6e-5));
        assertThat(interval.high()).isCloseTo(high, within(6e-5));
    }

    /// Whatever the probability is: summed over all that can come out.
    @ParameterizedTest
    @CsvSource({"42, 0.001", "42, 0.05", "14, 0.5", "100, 0.95", "210, 0.05"})
    void theProbabilityIsHeldAtLeastAsOftenAsTheConfidenceSays(int of, double probability) {
        double held = 0;
        double likely = Math.pow(1 - probability, of);
        for (int count = 0; count <= of; count++) {
            BinomialInterval interval = BinomialInterval.of(count, of, 0.95);
            held += interval.low() <= probability && probability <= interval.high() ? likely : 0;
            likely *= (double) (of - count) / (count + 1) * probability / (1 - probability);
        }

        assertThat(held).isBetween(0.95, 1 + 1e-9);
    }

    @Test
    void manyRunsAreCountedToo() {
        BinomialInterval interval = BinomialInterval.of(95_000, 100_000, 0.95);

        assertThat(interval.low()).isCloseTo(0.9486, within(1e-4));
        assertThat(interval.high()).isCloseTo(0.9513, within(1e-4));
    }

    @Test
    void moreThanAllIsNoCount() {
        assertThatThrownBy(() -> BinomialInterval.of(3, 2, 0.95)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BinomialInterval.of(0, 0, 0.95)).isInstanceOf(IllegalArgumentException.class);
    }
}
