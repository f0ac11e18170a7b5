package kvant.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kvant.lab.Amounts;
import kvant.lab.LabException;
import kvant.lab.http.Target;
import kvant.lab.record.Window;
import kvant.lab.workload.Workload;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is decided from figures: whether a run is valid, warm, within its objective.
class JudgementTest {

    private static final long MILLI = 1_000_000;

    private static Histogram all(long nanos, int count) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(nanos, count);
        return histogram;
    }

    @Test
    void aGeneratorThatLagsIsNotBelieved() {
        assertThat(Validity.byLag(all(MILLI / 100, 1000), all(MILLI, 1000)).grade())
                .isEqualTo(Validity.Grade.VALID);
        assertThat(Validity.byLag(all(MILLI / 2, 1000), all(MILLI, 1000)).grade())
                .isEqualTo(Validity.Grade.DOUBTFUL);
        Validity invalid = Validity.byLag(all(3 * MILLI, 1000), all(10 * MILLI, 1000));
        assertThat(invalid.grade()).isEqualTo(Validity.Grade.INVALID);
        assertThat(invalid.why()).contains("3.0", "10.0", "bottleneck");
        assertThat(Validity.byLag(all(3 * MILLI, 1000), all(100 * MILLI, 1000)).grade())
                .as("a lag of 3 ms does not matter in 100 ms")
                .isEqualTo(Validity.Grade.VALID);
    }

    @Test
    void aScheduleThatNobodyCanKeepIsChargedToTheLastRequest() throws Exception {
        try (var server = kvant.lab.truth.TestServer.start(kvant.lab.truth.TestServer.Exchange::ok)) {
            Clients clients = Clients.defaults().withConnections(2000);
            Pace pace = Pace.open(3_000_000, Duration.ofMillis(1000)).withDrain(Duration.ZERO);
            RunResult result = LoadRun.run(
                    LoadPlan.of(Target.parse(server.url()), Workload.plain("GET"), clients, pace),
                    new StopSwitch(),
                    Progress.SILENT);

            assertThat(result.tally().unsentCount()).isPositive();
            assertThat(result.tally().due()).isCloseTo(3_000_000L, within(2L));
            // The first request of each connection is due in the first millisecond, and to send them takes longer.
            assertThat(result.sums().lag().getMaxValue()).isGreaterThan(MILLI);
        }
    }

    @Test
    void aGeneratorWithoutTimeLeftThatMissedTheRateIsNotBelieved() {
        assertThat(Validity.hadNoTime(0.97, 0.6, false)).isTrue();
        assertThat(Validity.hadNoTime(0.97, 1, false)).as("it kept the rate").isFalse();
        assertThat(Validity.hadNoTime(0.5, 0.6, false))
                .as("the server was slow")
                .isFalse();
        assertThat(Validity.hadNoTime(1, 0.6, true))
                .as("who spins is always busy")
                .isFalse();
    }

    private static Window window(double rate, double p50, double p99) {
        return new Window(
                0,
                1_000_000_000L,
                (long) rate,
                0,
                (long) p50,
                (long) p99,
                (long) p99,
                (long) p99,
                (long) p99,
                (long) p99,
                0);
    }

    @Test
    void aServerIsWarmWhenSuccessiveWindowsAgree() {
        List<Window> windows = new ArrayList<>();
        int warmAfter = 0;
        for (int i = 0; i < 30; i++) {
            windows.add(
                    window(1000 - 500 * Math.exp(-i / 4.0), 1e6 + 4e6 * Math.exp(-i / 3.0), 9e6 * (1 + Math.exp(-i))));
            if (warmAfter == 0 && Warmup.isStable(windows)) {
                warmAfter = i + 1;
            }
        }
        assertThat(warmAfter).isBetween(10, 25);
    }

    @Test
    void oneBadWindowDoesNotKeepAServerCold() {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            windows.add(i == 4 ? window(500, 5e6, 1e9) : window(1000, 1e6, 3e6));
        }
        assertThat(Warmup.isStable(windows)).isTrue();
        assertThat(Warmup.isStable(windows.subList(0, 5))).as("too few").isFalse();
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
                    throw new LabException("cannot connect: Connection refused");
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
                throw new LabException("cannot connect");
            }
        };
        assertThatThrownBy(() -> new RateSearch(absent, new Objective(99, MILLI), 0.05, new StopSwitch()).search(100))
                .isInstanceOf(LabException.class);
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

    @Test
    void timesThatNobodyMeansAreRefused() {
        Pace pace = Pace.open(100, Duration.ofSeconds(10));
        Duration year = Duration.ofDays(365);
        assertThatThrownBy(() -> pace.withWindow(Duration.ofNanos(1000))).hasMessageContaining("10ms to 24h");
        assertThatThrownBy(() -> pace.withWindow(Duration.ZERO)).hasMessageContaining("10ms to 24h");
        assertThatThrownBy(() -> Pace.open(1, Duration.ofHours(24)).withWindow(Duration.ofMillis(100)))
                .hasMessageContaining("at most 100000 windows");
        assertThatThrownBy(() -> pace.withDrain(year)).hasMessageContaining("0s to 24h");
        assertThatThrownBy(() -> Warmup.fixed(year)).hasMessageContaining("0s to 24h");
        assertThatThrownBy(() -> Clients.defaults().withTimeout(year)).hasMessageContaining("at most 24h");
        assertThatThrownBy(() -> Clients.defaults().withSpin(year)).hasMessageContaining("0s to 24h");
    }

    @Test
    void amountsNeedTheirUnits() {
        assertThat(Amounts.duration("1.5s")).isEqualTo(Duration.ofMillis(1500));
        assertThat(Amounts.duration("50us")).isEqualTo(Duration.ofNanos(50_000));
        assertThat(Amounts.duration("2M")).isEqualTo(Duration.ofMinutes(2));
        assertThat(Amounts.count("20k")).isEqualTo(20_000);
        assertThat(Amounts.count("1.5M")).isEqualTo(1_500_000);
        assertThat(Amounts.rate("0.5")).isEqualTo(0.5);
        for (String wrong : new String[] {"30", "s", "", "-", "3d", "1e3s", "1e999999999s", "99999999999999h"}) {
            assertThatThrownBy(() -> Amounts.duration(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        for (String wrong : new String[] {"1.5", "k", "", "1e9", "x"}) {
            assertThatThrownBy(() -> Amounts.count(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        for (String wrong : new String[] {"0", "-1", "x", ""}) {
            assertThatThrownBy(() -> Amounts.rate(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
