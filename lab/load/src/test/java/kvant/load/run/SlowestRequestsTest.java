package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.load.http.Target;
import kvant.load.loop.StopSwitch;
import kvant.load.net.Sockets;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.SlowRequest;
import kvant.load.record.SlowestRequests;
import kvant.load.result.SlowestFile;
import kvant.load.truth.TestServer;
import kvant.load.workload.Operation;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A run keeps the slowest of its requests one by one, and they are those of its histogram.
class SlowestRequestsTest {

    private static final int SLOW_MILLIS = 150;
    private static final double TWO_PERCENT = 0.02;

    private static RunResult run(TestServer server, Clients clients, Pace pace, double share) {
        LoadPlan plan = LoadPlan.of(Target.parse(server.url()), Workload.plain("GET"), clients, pace)
                .with(p -> p.slowShare = share);
        return LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
    }

    private static void assertInOrder(List<SlowRequest> requests) {
        assertThat(requests)
                .isNotEmpty()
                .allSatisfy(request -> assertThat(List.of(
                                request.dueNanos(),
                                request.freeNanos(),
                                request.sentNanos(),
                                request.readyNanos(),
                                request.receivedNanos()))
                        .isSorted());
    }

    @ParameterizedTest
    @EnumSource(Sockets.Kind.class)
    void theSlowestAreKeptWithTheirTimesAndPorts(Sockets.Kind transport) throws IOException {
        AtomicInteger requests = new AtomicInteger();
        TestServer.Behaviour behaviour = exchange -> {
            if (requests.incrementAndGet() % 50 == 0) {
                Thread.sleep(SLOW_MILLIS);
            }
            exchange.ok();
        };
        try (TestServer server = TestServer.start(behaviour)) {
            Clients clients = Clients.defaults().withConnections(64).with(c -> {
                c.threads = 2;
                c.transport = transport;
            });
            RunResult result = run(server, clients, Pace.open(400, Duration.ofSeconds(1)), TWO_PERCENT);
            SlowestRequests slowest = result.slowest();

            assertThat(slowest.of()).isEqualTo(result.counts().due()).isEqualTo(400);
            assertThat(slowest.requests()).hasSize(8);
            assertInOrder(slowest.requests());
            assertThat(slowest.requests()).allSatisfy(request -> {
                assertThat(request.responseNanos())
                        .isGreaterThanOrEqualTo(Duration.ofMillis(SLOW_MILLIS).toNanos());
                assertThat(request.status()).isEqualTo(200);
                assertThat(request.port()).isBetween(1, 65_535);
                assertThat(request.operation()).isEqualTo(Operation.PLAIN);
            });
            long max = result.totals().response().getMaxValue();
            assertThat(slowest.requests().getFirst().responseNanos()).isCloseTo(max, within(max / 500));
            assertThat(slowest.requests().stream()
                            .map(SlowRequest::port)
                            .distinct()
                            .count())
                    .as("connections")
                    .isGreaterThan(1);
        }
    }

    @Test
    void whatWasNeverAnsweredOrSentIsAmongThem() throws IOException {
        try (TestServer server = TestServer.start(exchange -> Thread.sleep(Duration.ofSeconds(5)))) {
            Pace pace = Pace.open(100, Duration.ofMillis(300)).with(p -> p.drain = Duration.ofMillis(50));
            RunResult result = run(server, Clients.defaults().withConnections(2), pace, 1);

            assertThat(result.slowest().requests())
                    .hasSize(30)
                    .allSatisfy(request -> assertThat(request.status()).isZero());
            assertInOrder(result.slowest().requests());
            assertThat(result.slowest().requests())
                    .allSatisfy(request -> assertThat(request.port()).isPositive());
            assertThat(result.slowest().requests().stream()
                            .filter(request -> request.sentNanos() < request.receivedNanos()))
                    .as("sent")
                    .hasSize(2);
        }
    }

    @Test
    void aWarmUpIsNotAmongThem() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        TestServer.Behaviour behaviour = exchange -> {
            if (requests.incrementAndGet() < 20) {
                Thread.sleep(SLOW_MILLIS);
            }
            exchange.ok();
        };
        try (TestServer server = TestServer.start(behaviour)) {
            Pace pace =
                    Pace.open(200, Duration.ofMillis(300)).with(p -> p.warmup = Warmup.fixed(Duration.ofMillis(600)));
            RunResult result = run(server, Clients.defaults().withConnections(64), pace, 1);
            long measured = result.slowest().requests().size();

            assertThat(measured).isEqualTo(result.counts().due());
            assertThat(result.slowest().requests().getFirst().responseNanos())
                    .isCloseTo(result.totals().response().getMaxValue(), within(SLOW_MILLIS * 2_000L));
        }
    }

    @Test
    void whoWaitsForItsConnectionIsFreeWhenThatIs() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            Thread.sleep(20);
            exchange.ok();
        })) {
            RunResult result =
                    run(server, Clients.defaults().withConnections(1), Pace.open(200, Duration.ofMillis(500)), 0.5);
            List<SlowRequest> requests = result.slowest().requests();

            assertInOrder(requests);
            assertThat(requests).allSatisfy(request -> {
                assertThat(request.freeNanos()).as("long after it was due").isGreaterThan(request.dueNanos());
                assertThat(request.sentNanos() - request.freeNanos())
                        .as("the generator's own part")
                        .isLessThan(request.freeNanos() - request.dueNanos() + SLOW_MILLIS * 1_000_000L);
            });
        }
    }

    @Test
    void withoutAShareNothingIsKept() throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            RunResult result =
                    run(server, Clients.defaults().withConnections(2), Pace.open(100, Duration.ofMillis(100)), 0);

            assertThat(result.slowest().requests()).isEmpty();
            assertThat(SlowestFile.of(result.slowest())).contains("\"requests\": []");
        }
    }
}
