package kvant.load.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import kvant.load.http.Target;
import kvant.load.keys.KeyText;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.run.Progress;
import kvant.load.truth.Attempts;
import kvant.load.truth.TestServer;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /// A stall of 40 ms makes 4 of 1,000 requests late: p99 does not have it, and p99.9 is nothing else.
    @Test
    void whatTheGeneratorAddedIsNotTheServers() {
        Objective objective = new Objective(99.9, 10 * MILLI);
        Histogram punctual = all(MILLI, 1000);

        assertThat(RateProber.tooSlow(objective, punctual, 0)).isEqualTo(RateSearch.Finding.GENERATOR_LATE);
        assertThat(RateProber.tooSlow(objective, punctual, 2))
                .as("one request more failed than may")
                .isEqualTo(RateSearch.Finding.TOO_SLOW);
        punctual.recordValueWithCount(11 * MILLI, 2);
        assertThat(RateProber.tooSlow(objective, punctual, 0))
                .as("two requests more took too long")
                .isEqualTo(RateSearch.Finding.TOO_SLOW);
    }

    /// Far beyond the limit, and yet not clear: one stall decides nothing.
    @Test
    void aProbeWithALateGeneratorIsRepeated() {
        List<Double> tried = new ArrayList<>();
        RateSearch.Prober once = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 1000;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                boolean late = tried.isEmpty();
                tried.add(rate);
                return late
                        ? RateSearchTest.probe(rate, 500 * MILLI, RateSearch.Finding.GENERATOR_LATE)
                        : RateSearchTest.probe(rate, 6 * MILLI, RateSearch.Finding.HOLDS);
            }
        };
        new RateSearch(once, new Objective(99.9, 10 * MILLI), 0.05, 1, new StopSwitch()).search(100);

        assertThat(tried.subList(0, 3)).containsOnly(100.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p99", "99=10ms", "p99=10", "p100=1s", "p0=1s", "px=1s", "p99=0ms", ""})
    void anObjectiveThatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> Objective.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static RateSearch.Probe probe(double rate, long value, RateSearch.Finding finding) {
        return new RateSearch.Probe(rate, rate, 1000, value, value, value, 0, 3 * MILLI, finding);
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
                return RateSearchTest.probe(
                        asked, value, asked <= rate ? RateSearch.Finding.HOLDS : RateSearch.Finding.TOO_SLOW);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 10, 5000, 1_000_000})
    void theHighestRateIsFoundFromAnywhere(double guess) {
        List<Double> tried = new ArrayList<>();
        RateSearch search =
                new RateSearch(capacity(12_345, tried), new Objective(99, 10 * MILLI), 0.05, 1, new StopSwitch());
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
                return RateSearchTest.probe(
                        rate, value, holds ? RateSearch.Finding.HOLDS : RateSearch.Finding.TOO_SLOW);
            }
        };
        RateSearch.Outcome outcome =
                new RateSearch(flaky, new Objective(99, 10 * MILLI), 0.2, 1, new StopSwitch()).search(100);
        assertThat(outcome.rate()).isGreaterThanOrEqualTo(100);
    }

    @Test
    void aServerThatHoldsNothingHasNoRate() {
        RateSearch.Outcome outcome = new RateSearch(
                        capacity(0.5, new ArrayList<>()), new Objective(99, 10 * MILLI), 0.05, 1, new StopSwitch())
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
                return RateSearchTest.probe(rate, MILLI, RateSearch.Finding.HOLDS);
            }
        };
        RateSearch.Outcome outcome =
                new RateSearch(mortal, new Objective(99, 10 * MILLI), 0.05, 1, new StopSwitch()).search(100);

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
        assertThatThrownBy(
                        () -> new RateSearch(absent, new Objective(99, MILLI), 0.05, 1, new StopSwitch()).search(100))
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
                if (rate > 100) {
                    stop.stop();
                    throw new UserException("stopped before its end");
                }
                return RateSearchTest.probe(rate, MILLI, RateSearch.Finding.HOLDS);
            }
        };
        RateSearch.Outcome outcome =
                new RateSearch(interrupted, new Objective(99, 10 * MILLI), 0.05, 1, stop).search(100);

        assertThat(outcome.rate()).isEqualTo(100);
        assertThat(outcome.probes()).hasSize(1);
        assertThat(outcome.limit()).isEqualTo("no rate failed");
        assertThat(outcome.partial()).isEqualTo("stopped before its end");
    }

    /// A stop that comes when a rate has been judged leaves the verdict.
    @ParameterizedTest
    @CsvSource({"HOLDS, 100", "TOO_SLOW, 0"})
    void aStopBetweenTwoProbesKeepsWhatTheFirstOneFound(RateSearch.Finding finding, double found) {
        StopSwitch stop = new StopSwitch();
        RateSearch.Prober stopped = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 200;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                stop.stop();
                return RateSearchTest.probe(rate, finding == RateSearch.Finding.HOLDS ? MILLI : 100 * MILLI, finding);
            }
        };
        RateSearch.Outcome outcome = new RateSearch(stopped, new Objective(99, 10 * MILLI), 0.05, 1, stop).search(100);

        assertThat(outcome.rate()).isEqualTo(found);
        assertThat(outcome.probes()).hasSize(1);
        assertThat(outcome.limit()).isEqualTo(found > 0 ? "no rate failed" : "100/s does not hold it");
        assertThat(outcome.partial()).isEqualTo("stopped before its end");
    }

    /// One of two: another probe would have been made.
    @Test
    void aStopBetweenTheProbesOfOneRateLeavesItOpen() {
        StopSwitch stop = new StopSwitch();
        RateSearch.Prober stopped = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 200;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                stop.stop();
                return RateSearchTest.probe(rate, 9 * MILLI, RateSearch.Finding.HOLDS);
            }
        };
        RateSearch.Outcome outcome = new RateSearch(stopped, new Objective(99, 10 * MILLI), 0.05, 1, stop).search(100);

        assertThat(outcome.rate()).isZero();
        assertThat(outcome.probes()).hasSize(1);
        assertThat(outcome.partial()).isEqualTo("stopped before its end");
    }

    @Test
    void probesThatHaveUsedUpAllKeysSaySo() throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            Pace pace = Pace.open(200, Duration.ofMillis(200)).with(p -> p.warmup = Warmup.fixed(Duration.ZERO));
            Workload one = Workload.named("put").with(w -> {
                w.keyText = new KeyText("k", 2);
                w.keys = 1;
            });
            RateProber prober = prober(server, one, new Objective(50, MILLI), pace);

            assertThatThrownBy(() -> {
                        for (int probe = 0; probe < 3; probe++) { // 40 keys each, more where threads share unevenly
                            prober.probe(200, probe == 0);
                        }
                    })
                    .isInstanceOf(UserException.class)
                    .hasMessage("the probes have used up all keys of 2 digits");
        }
    }

    @Test
    void aSearchKeepsToRatesThatCanBeAsked() {
        List<Double> tried = new ArrayList<>();
        RateSearch.Outcome high = new RateSearch(
                        capacity(1e12, tried), new Objective(99, 10 * MILLI), 0.05, 1, new StopSwitch())
                .search(1e7);
        assertThat(high.rate()).isBetween(5e7, Pace.MOST_RATE);
        assertThat(tried).allMatch(rate -> rate <= Pace.MOST_RATE);

        tried.clear();
        new RateSearch(capacity(1000, tried), new Objective(99, 10 * MILLI), 0.05, 1, new StopSwitch()).search(0.5);
        assertThat(tried.getFirst()).as("a first guess below the least rate").isEqualTo(1);
    }

    /// On a machine that is disturbed, a lower rate is sent as late as a higher one.
    @Test
    void aGeneratorThatIsTooSlowTwiceEndsTheSearch() {
        List<Double> tried = new ArrayList<>();
        RateSearch.Prober late = new RateSearch.Prober() {
            @Override
            public double peak() {
                return 2000;
            }

            @Override
            public RateSearch.Probe probe(double rate, boolean first) {
                tried.add(rate);
                boolean holds = tried.size() == 1;
                return RateSearchTest.probe(
                        rate, 100 * MILLI, holds ? RateSearch.Finding.HOLDS : RateSearch.Finding.GENERATOR_TOO_SLOW);
            }
        };
        RateSearch.Outcome outcome =
                new RateSearch(late, new Objective(99, 10 * MILLI), 0.05, 1, new StopSwitch()).search(0);

        assertThat(tried).startsWith(1000.0).hasSize(3);
        assertThat(outcome.limit())
                .startsWith("the generator was too slow 2 times in a row: at ")
                .endsWith("/s it sent late by 3.00ms at p99");
        assertThat(outcome.rate()).isEqualTo(1000);
    }

    @Test
    void aRateIsNotTriedAtWhichThePercentileCannotBeJudged() {
        double least = RateSearch.leastRate(new Objective(99, MILLI), Arrivals.Law.UNIFORM, Duration.ofSeconds(10));
        assertThat(least).isCloseTo(100, within(1e-6));
        assertThat(RateSearch.leastRate(new Objective(99, MILLI), Arrivals.Law.POISSON, Duration.ofSeconds(10)))
                .isGreaterThan(least);
        List<Double> tried = new ArrayList<>();
        RateSearch.Outcome outcome = new RateSearch(
                        capacity(20, tried), new Objective(99, 10 * MILLI), 0.05, least, new StopSwitch())
                .search(30);

        assertThat(tried).containsExactly(least);
        assertThat(outcome.rate()).isZero();
        assertThat(outcome.limit())
                .isEqualTo("100/s does not hold it, and below it a probe has fewer than 10 requests beyond p99:"
                        + " take a longer -d");
    }

    private static RateProber prober(TestServer server, Workload workload, Objective objective, Pace pace) {
        LoadPlan plan = LoadPlan.of(
                Target.parse(server.url()), workload, Clients.defaults().withConnections(64), pace);
        return new RateProber(plan, objective, Arrivals.Law.UNIFORM, new StopSwitch(), Progress.SILENT, _ -> {});
    }

    /// At the end of the measured time there are always requests on their way.
    @Test
    void aServerThatTakesItsTimeReachesTheRate() throws Exception {
        try (TestServer server = TestServer.start(exchange -> {
            Thread.sleep(150); // the server that is asked for
            exchange.ok();
        })) {
            Pace pace = Pace.open(100, Duration.ofMillis(800)).with(p -> p.warmup = Warmup.fixed(Duration.ZERO));
            RateProber prober = prober(server, Workload.plain("GET"), new Objective(50, 3600_000 * MILLI), pace);

            Attempts.untilItHolds(
                    () -> assertThat(prober.probe(100, true).finding()).isEqualTo(RateSearch.Finding.HOLDS));
        }
    }

    @Test
    void aRateIsReachedWhereNothingPilesUp() {
        assertThat(RateProber.keepsUp(1000, 1000, 0)).isTrue();
        assertThat(RateProber.keepsUp(1000, 984, 5))
                .as("one in a hundred, and what is on its way")
                .isTrue();
        assertThat(RateProber.keepsUp(1000, 983, 5)).isFalse();
        assertThat(RateProber.keepsUp(20, 19, 0.1))
                .as("one is always on its way")
                .isTrue();
        assertThat(RateProber.keepsUp(1000, 950, 25))
                .as("a twentieth too slow: half of that is the median")
                .isFalse();
    }

    @Test
    void eachProbePutsKeysThatAreNew() throws IOException {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        try (TestServer server = TestServer.start(exchange -> {
            lines.add(exchange.requestLine());
            exchange.ok();
        })) {
            Pace pace = Pace.open(200, Duration.ofMillis(200)).with(p -> p.warmup = Warmup.fixed(Duration.ZERO));
            RateProber prober = prober(server, Workload.named("put"), new Objective(50, MILLI), pace);
            prober.probe(200, true);
            int first = lines.size();
            prober.probe(200, true);

            assertThat(first).isPositive();
            assertThat(lines).hasSizeGreaterThan(first).doesNotHaveDuplicates();
        }
    }

    @Test
    void aProbeWhoseServerDiesIsNone() throws IOException {
        try (TestServer server = TestServer.start(exchange -> exchange.server().die())) {
            Pace pace = Pace.open(200, Duration.ofMillis(200)).with(p -> p.warmup = Warmup.fixed(Duration.ZERO));
            RateProber prober = prober(server, Workload.plain("GET"), new Objective(50, MILLI), pace);

            assertThatThrownBy(() -> prober.probe(200, true)).isInstanceOf(UserException.class);
        }
    }

    @Test
    void aProbeOfTooFewRequestsIsNotJudged() throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            Pace pace = Pace.open(100, Duration.ofMillis(200));
            LoadPlan plan = LoadPlan.of(
                    Target.parse(server.url()),
                    Workload.plain("GET"),
                    Clients.defaults().withConnections(4),
                    pace);
            RateProber prober = new RateProber(
                    plan,
                    new Objective(99.9, 3600_000 * MILLI),
                    Arrivals.Law.UNIFORM,
                    new StopSwitch(),
                    Progress.SILENT,
                    _ -> {});
            assertThat(prober.probe(100, true).requests()).isEqualTo(20);
            await("a probe in which the generator is fast enough")
                    .until(() -> prober.probe(100, true).finding() == RateSearch.Finding.TOO_FEW);
        }
    }
}
