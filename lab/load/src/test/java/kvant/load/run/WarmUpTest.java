package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.Window;
import kvant.load.truth.TestServer;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;

/// Warm-ups: their requests are not measured, and failed ones are reported.
class WarmUpTest {

    private static LoadPlan plan(TestServer server, int connections, Pace pace) {
        Clients clients = Clients.defaults().withConnections(connections);
        return LoadPlan.of(Target.parse(server.url()), Workload.plain("GET"), clients, pace);
    }

    /// A second of 200 requests, of which one connection gets rid of 50: carried over, they would take three seconds.
    @Test
    void whatAWarmUpDidNotGetToSendIsNotMeasured() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            TimeUnit.MILLISECONDS.sleep(20);
            exchange.ok();
        })) {
            Pace pace = Pace.open(200, Duration.ofSeconds(2)).with(p -> {
                p.warmup = Warmup.fixed(Duration.ofSeconds(1));
                p.drain = Duration.ZERO;
            });
            RunResult result = LoadRun.run(plan(server, 1, pace), new StopSwitch(), Progress.SILENT);

            RequestCounts warmup = result.warmup().counts();
            assertThat(warmup.of(Count.UNSENT)).isGreaterThan(100);
            assertThat(result.counts().due()).isCloseTo(400L, within(1L));
            assertThat(result.counts().of(Count.ANSWERED)).isPositive();
            assertThat(result.counts().of(Count.SENT) + warmup.of(Count.SENT))
                    .as("nothing else was sent")
                    .isBetween(server.requests(), server.requests() + 1);
            assertThat(result.warmup().hasFailed())
                    .as("it answered what it could")
                    .isFalse();
            assertThat(result.warmup().isStable()).isFalse();
            assertThat(result.validity().grade()).isNotEqualTo(Validity.Grade.VALID);
        }
    }

    /// A rate of transfer that had the bytes of the warm-up was as many times too high as that was longer.
    @Test
    void bytesAreThoseOfTheMeasuredTime() throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            Pace pace =
                    Pace.open(200, Duration.ofMillis(500)).with(p -> p.warmup = Warmup.fixed(Duration.ofSeconds(1)));
            RunResult result = LoadRun.run(plan(server, 2, pace), new StopSwitch(), Progress.SILENT);
            RequestCounts measured = result.counts();
            RequestCounts warmup = result.warmup().counts();
            double answer = (double) (measured.of(Count.BYTES_IN) + warmup.of(Count.BYTES_IN))
                    / (measured.of(Count.ANSWERED) + warmup.of(Count.ANSWERED));

            assertThat(warmup.of(Count.BYTES_IN)).isGreaterThan(measured.of(Count.BYTES_IN));
            assertThat(measured.of(Count.BYTES_IN))
                    .isCloseTo((long) (answer * measured.of(Count.ANSWERED)), within((long) (5 * answer)));
            assertThat(warmup.of(Count.BYTES_OUT)).isGreaterThan(measured.of(Count.BYTES_OUT));
        }
    }

    @Test
    void whoStopsWithinTheWarmUpHasMeasuredNothing() throws IOException {
        StopSwitch stop = new StopSwitch();
        try (TestServer server = TestServer.start(exchange -> {
            exchange.ok();
            if (exchange.number() == 20) {
                stop.stop();
            }
        })) {
            Pace pace =
                    Pace.open(400, Duration.ofSeconds(60)).with(p -> p.warmup = Warmup.fixed(Duration.ofSeconds(60)));
            RunResult result = LoadRun.run(plan(server, 4, pace), stop, Progress.SILENT);

            assertThat(result.partial()).isEqualTo("stopped before its end");
            assertThat(result.isOfNothing()).isTrue();
            assertThat(result.warmup().counts().of(Count.ANSWERED)).isGreaterThanOrEqualTo(15);
        }
    }

    @Test
    void aWarmUpOfFailuresIsNotBelieved() throws IOException {
        AtomicBoolean warm = new AtomicBoolean();
        try (TestServer server = TestServer.start(exchange -> {
            if (warm.get()) {
                exchange.ok();
            } else {
                exchange.reset();
            }
        })) {
            Pace pace = Pace.open(100, Duration.ofMillis(500)).with(p -> {
                p.warmup = Warmup.fixed(Duration.ofMillis(500));
                p.drain = Duration.ofSeconds(30); // a connection that was reset often waits before it comes back
            });
            RunResult result = LoadRun.run(plan(server, 4, pace), new StopSwitch(), new Progress() {
                @Override
                public void warm(double seconds, boolean stable) {
                    warm.set(true);
                }
            });

            assertThat(result.counts().of(Count.ANSWERED)).isPositive();
            assertThat(result.warmup().isStable()).isFalse();
            assertThat(result.validity().grade()).isEqualTo(Validity.Grade.INVALID);
            assertThat(result.validity().why())
                    .startsWith("most of the warm-up failed: ")
                    .contains(" requests that were sent got no answer: ");
        }
    }

    @Test
    void aWarmUpOfRefusalsIsAWarmUp() throws IOException {
        try (TestServer server = TestServer.start(exchange -> exchange.answer(503, new byte[0]))) {
            Pace pace =
                    Pace.open(100, Duration.ofMillis(300)).with(p -> p.warmup = Warmup.fixed(Duration.ofMillis(300)));
            RunResult result = LoadRun.run(plan(server, 4, pace), new StopSwitch(), Progress.SILENT);

            assertThat(result.warmup().hasFailed()).isFalse();
            assertThat(result.warmup().counts().errors()).isPositive();
        }
    }

    @Test
    void windowsWithoutAnAnswerAreNotSteady() {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long second = 1_000_000_000L;
            windows.add(new Window(i * second, second, 100, 100, second, second, second, second, second, 0, 0, 0, 0));
        }
        assertThat(SteadyState.isReached(windows)).isFalse();
    }

    /// Requests that wait at the end of the last window are charged after it.
    @Test
    void whoWaitsUntilTheEndIsCountedInTheEnd() throws IOException {
        try (TestServer server = TestServer.start(exchange -> TimeUnit.SECONDS.sleep(30))) {
            Pace pace = Pace.open(100, Duration.ofMillis(600)).with(p -> p.drain = Duration.ZERO);
            List<Window> windows = new ArrayList<>();
            List<Long> errors = new ArrayList<>();
            RunResult result = LoadRun.run(plan(server, 4, pace), new StopSwitch(), new Progress() {
                @Override
                public void measured(Window window, double seconds, double ofSeconds) {
                    windows.add(window);
                }

                @Override
                public void counted(RequestCounts counts) {
                    errors.add(counts.errors());
                }
            });

            assertThat(windows).isNotEmpty(); // whether the last of them has these errors is a matter of time
            assertThat(errors).containsExactly(60L);
            assertThat(result.totals().windows())
                    .as("what was given up is no throughput")
                    .allMatch(window -> window.rate() == 0)
                    .anyMatch(window -> window.completed() > 0);
        }
    }
}
