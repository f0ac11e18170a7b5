package kvant.load.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Pace;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An objective, and the search for the highest rate that holds it.
class RateSearchTest {

    private static final long MILLI = 1_000_000;

    private static Histogram all(long nanos, int count) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(nanos, count);
        return histogram;
    }

    @Test
    void aFailedRequestIsNeverWithinAnObjective() {
        Histogram response = all(MILLI, 990);
        response.recordValueWithCount(1000, 10); // failed at once
        Histogram errors = all(1000, 10);

        assertThat(Objective.value(50, response, errors)).isCloseTo(MILLI, within(1000L));
        assertThat(Objective.value(99, response, errors)).isCloseTo(MILLI, within(1000L));
        assertThat(Objective.value(99.5, response, errors)).isEqualTo(Objective.NEVER);
        assertThat(Objective.parse("p99.9=10ms")).isEqualTo(new Objective(99.9, 10 * MILLI));
    }

    @ParameterizedTest
    @ValueSource(strings = {"p99", "99=10ms", "p99=10", "p100=1s", "p0=1s", "px=1s", "p99=0ms", ""})
    void anObjectiveThatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> Objective.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    /// A server that answers in 1 ms below its capacity and in 1 s above it.
    private static RateSearch.Prober capacity(double rate, List<Double> tried) {
        return new RateSearch.Prober() {
            @Override
            public double peak() {
                return rate * 3;
            }

            @Override
            public RateSearch.Probe probe(double asked, boolean first) {
                tried.add(asked);
                long value = asked <= rate ? MILLI : 1000 * MILLI;
                return new RateSearch.Probe(asked, asked, value, value, value, 0, asked <= rate, false);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 10, 5000, 1_000_000})
    void theHighestRateIsFoundFromAnywhere(double guess) {
        List<Double> tried = new ArrayList<>();
        RateSearch search =
                new RateSearch(capacity(12_345, tried), new Objective(99, 10 * MILLI), 0.05, new StopSwitch());
        RateSearch.Outcome outcome = search.search(guess);

        assertThat(outcome.rate()).isBetween(12_345 / 1.06, 12_345.0);
        assertThat(outcome.partial()).isEmpty();
        assertThat(outcome.probes()).hasSameSizeAs(tried).hasSizeLessThan(30);
        assertThat(outcome.limit()).endsWith("does not hold it");
    }

    @Test
    void nearTheLimitTheMajorityDecides() {
        int[] call = new int[1];
        RateSearch.Prober flaky = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 200;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                boolean holds = rate <= 100 && call[0]++ != 0; // the first one fails by bad luck
                long value = holds ? 9 * MILLI : rate <= 100 ? 11 * MILLI : 1000 * MILLI;
                return new RateSearch.Probe(rate, rate, value, value, value, 0, holds, false);
            }
        };
        RateSearch.Outcome outcome =
                new RateSearch(flaky, new Objective(99, 10 * MILLI), 0.2, new StopSwitch()).search(100);
        assertThat(outcome.rate()).isGreaterThanOrEqualTo(100);
    }

    @Test
    void aServerThatHoldsNothingHasNoRate() {
        RateSearch.Outcome outcome = new RateSearch(
                        capacity(0.5, new ArrayList<>()), new Objective(99, 10 * MILLI), 0.05, new StopSwitch())
                .search(100);
        assertThat(outcome.rate()).isZero();
    }

    @Test
    void whatWasFoundOutlivesAServerThatDies() {
        RateSearch.Prober mortal = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 200;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                if (rate > 200) {
                    throw new UserException("cannot connect: Connection refused");
                }
                return new RateSearch.Probe(rate, rate, MILLI, MILLI, MILLI, 0, true, false);
            }
        };
        RateSearch.Outcome outcome =
                new RateSearch(mortal, new Objective(99, 10 * MILLI), 0.05, new StopSwitch()).search(100);

        assertThat(outcome.rate()).isEqualTo(200);
        assertThat(outcome.probes()).hasSize(2);
        assertThat(outcome.partial()).isEqualTo("cannot connect: Connection refused");
        assertThat(outcome.limit()).isEqualTo("no rate failed");
    }

    @Test
    void aServerThatIsNotThereIsNoOutcome() {
        RateSearch.Prober absent = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 200;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                throw new UserException("cannot connect");
            }
        };
        assertThatThrownBy(() -> new RateSearch(absent, new Objective(99, MILLI), 0.05, new StopSwitch()).search(100))
                .isInstanceOf(UserException.class);
    }

    @Test
    void aProbeThatAPersonBreaksOffSaysNothingOfItsRate() {
        StopSwitch stop = new StopSwitch();
        RateSearch.Prober interrupted = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 200;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                boolean broken = rate > 100;
                if (broken) {
                    stop.stop();
                }
                return new RateSearch.Probe(rate, rate, MILLI, MILLI, MILLI, 0, !broken, false);
            }
        };
        RateSearch.Outcome outcome = new RateSearch(interrupted, new Objective(99, 10 * MILLI), 0.05, stop).search(100);

        assertThat(outcome.rate()).isEqualTo(100);
        assertThat(outcome.probes()).hasSize(1);
        assertThat(outcome.limit()).isEqualTo("no rate failed");
        assertThat(outcome.partial()).isEqualTo("stopped before its end");
    }

    @Test
    void aSearchKeepsToRatesThatCanBeAsked() {
        List<Double> tried = new ArrayList<>();
        RateSearch.Outcome high = new RateSearch(
                        capacity(1e12, tried), new Objective(99, 10 * MILLI), 0.05, new StopSwitch())
                .search(1e7);
        assertThat(high.rate()).isBetween(5e7, Pace.MOST_RATE);
        assertThat(tried).allMatch(rate -> rate <= Pace.MOST_RATE);

        tried.clear();
        new RateSearch(capacity(1000, tried), new Objective(99, 10 * MILLI), 0.05, new StopSwitch()).search(0.5);
        assertThat(tried.getFirst()).as("a first guess below the least rate").isEqualTo(1);
    }
}
