package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.output.Summary;
import kvant.load.output.TerminalColours;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.Window;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.load.truth.TestServer;
import kvant.load.workload.Workload;
import kvant.text.Units;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// Judgements from figures: whether a run is valid, warm, within its objective.
class JudgementTest {

    private static final long MILLI = 1_000_000;

    private static Histogram all(long nanos, int count) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(nanos, count);
        return histogram;
    }

    @Test
    void aGeneratorThatLagsIsNotBelieved() {
        assertThat(Validity.byLateness(all(MILLI * 99 / 100, 1000), all(MILLI, 1000))
                        .grade())
                .isEqualTo(Validity.Grade.VALID);
        assertThat(Validity.byLateness(all(MILLI / 2, 1000), all(MILLI, 1000)).grade())
                .isEqualTo(Validity.Grade.DOUBTFUL);
        Validity invalid = Validity.byLateness(all(7 * MILLI, 1000), all(10 * MILLI, 1000));
        assertThat(invalid.grade()).isEqualTo(Validity.Grade.INVALID);
        assertThat(invalid.why()).contains("3.0", "10.0", "bottleneck");
        assertThat(Validity.byLateness(all(97 * MILLI, 1000), all(100 * MILLI, 1000))
                        .grade())
                .as("3 ms do not matter in 100 ms")
                .isEqualTo(Validity.Grade.VALID);
    }

    /// A generator that sends one request in fifty late by 5 ms is late at p99, and the server's tail is another.
    @Test
    void latenessThatChangesNoPercentileIsNoDoubt() {
        Histogram response = all(20 * MILLI, 30);
        response.recordValueWithCount(MILLI, 950);
        response.recordValueWithCount(6 * MILLI, 20);
        Histogram punctual = all(20 * MILLI, 30);
        punctual.recordValueWithCount(MILLI, 970);

        assertThat(Validity.byLateness(punctual, response).grade()).isEqualTo(Validity.Grade.VALID);
    }

    @Test
    void aScheduleThatNobodyCanKeepIsChargedToTheLastRequest() throws Exception {
        try (var server = TestServer.start(TestServer.Exchange::ok)) {
            Clients clients = Clients.defaults().withConnections(2000);
            Pace pace = Pace.open(3_000_000, Duration.ofMillis(1000)).with(p -> p.drain = Duration.ZERO);
            RunResult result = LoadRun.run(
                    LoadPlan.of(Target.parse(server.url()), Workload.plain("GET"), clients, pace),
                    new StopSwitch(),
                    Progress.SILENT);

            assertThat(result.counts().of(Count.UNSENT)).isPositive();
            assertThat(result.counts().due()).isCloseTo(3_000_000L, within(2L));
            // The first request of each connection is due in the first millisecond, and to send them takes longer.
            assertThat(result.totals().lag().getMaxValue()).isGreaterThan(MILLI);
            assertThat(result.totals().punctual().getMean())
                    .as("without what was sent late")
                    .isLessThan(result.totals().response().getMean());
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

    @Test
    void aRunOfAHandfulOfRequestsIsNotJudged() throws Exception {
        try (var server = TestServer.start(TestServer.Exchange::ok)) {
            Pace pace = Pace.open(10, Duration.ofMillis(600));
            RunResult result = LoadRun.run(
                    LoadPlan.of(
                            Target.parse(server.url()),
                            Workload.plain("GET"),
                            Clients.defaults().withConnections(1),
                            pace),
                    new StopSwitch(),
                    Progress.SILENT);

            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(6);
            assertThat(result.validity())
                    .isEqualTo(new Validity(
                            Validity.Grade.DOUBTFUL, "too few requests to judge: 6 were due, and a median needs 20"));
            StringWriter summary = new StringWriter();
            new Summary(new PrintWriter(summary), new TerminalColours(false)).print(result, false);
            assertThat(summary.toString())
                    .containsPattern("50\\.000% +- +-\n")
                    .containsPattern("99\\.999% +- +-\n")
                    .containsPattern("100\\.000% +[0-9.]+[mu]s +[0-9.]+[mu]s\n")
                    .contains("p99 -  max ");
            assertThat(ResultFile.text(LoadResult.of(result)))
                    .contains("\"99\": null")
                    .doesNotContainPattern("\"99.999\": \\d");
        }
    }

    @Test
    void adviceIsWhatCouldHelp() {
        assertThat(Validity.advice(20_000, 0.9, 0)).contains("a lower -R");
        assertThat(Validity.advice(1, 0.9, 0)).contains("other processes").doesNotContain("-R");
        assertThat(Validity.advice(20_000, 0.1, 0)).contains("other processes").doesNotContain("-R");
        assertThat(Validity.advice(20_000, 0.9, 3)).contains("refused or closed connections");
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
                0,
                (long) rate,
                0);
    }

    @Test
    void aServerIsWarmWhenSuccessiveWindowsAgree() {
        List<Window> windows = new ArrayList<>();
        int warmAfter = 0;
        for (int i = 0; i < 30; i++) {
            windows.add(
                    window(1000 - 500 * Math.exp(-i / 4.0), 1e6 + 4e6 * Math.exp(-i / 3.0), 9e6 * (1 + Math.exp(-i))));
            if (warmAfter == 0 && SteadyState.isReached(windows)) {
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
        assertThat(SteadyState.isReached(windows)).isTrue();
        assertThat(SteadyState.isReached(windows.subList(0, 5))).as("too few").isFalse();
    }

    @Test
    void timesThatNobodyMeansAreRefused() {
        Pace pace = Pace.open(100, Duration.ofSeconds(10));
        Duration year = Duration.ofDays(365);
        assertThatThrownBy(() -> pace.with(p -> p.window = Duration.ofNanos(1000)))
                .hasMessageContaining("10ms to 24h");
        assertThatThrownBy(() -> pace.with(p -> p.window = Duration.ZERO)).hasMessageContaining("10ms to 24h");
        assertThatThrownBy(() -> Pace.open(1, Duration.ofHours(24)).with(p -> p.window = Duration.ofMillis(100)))
                .hasMessageContaining("at most 100000 windows");
        assertThatThrownBy(() -> pace.with(p -> p.drain = year)).hasMessageContaining("0s to 24h");
        assertThatThrownBy(() -> Warmup.fixed(year)).hasMessageContaining("0s to 24h");
        assertThatThrownBy(() -> Clients.defaults().with(c -> c.timeout = year)).hasMessageContaining("at most 24h");
        assertThatThrownBy(() -> Clients.defaults().with(c -> c.spin = year)).hasMessageContaining("0s to 24h");
    }

    @Test
    void amountsNeedTheirUnits() {
        assertThat(Units.duration("1.5s")).isEqualTo(Duration.ofMillis(1500));
        assertThat(Units.duration("50us")).isEqualTo(Duration.ofNanos(50_000));
        assertThat(Units.duration("2M")).isEqualTo(Duration.ofMinutes(2));
        assertThat(Units.count("20k")).isEqualTo(20_000);
        assertThat(Units.count("1.5M")).isEqualTo(1_500_000);
        assertThat(Units.rate("0.5")).isEqualTo(0.5);
        for (String wrong : new String[] {"30", "s", "", "-", "3d", "1e3s", "1e999999999s", "99999999999999h"}) {
            assertThatThrownBy(() -> Units.duration(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        for (String wrong : new String[] {"1.5", "k", "", "1e9", "x"}) {
            assertThatThrownBy(() -> Units.count(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        for (String wrong : new String[] {"0", "-1", "x", ""}) {
            assertThatThrownBy(() -> Units.rate(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
