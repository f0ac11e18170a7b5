package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.load.http.Target;
import kvant.load.keys.ValueSizes;
import kvant.load.keys.Values;
import kvant.load.loop.StopSwitch;
import kvant.load.net.Sockets;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.plan.Warmup;
import kvant.load.record.Failure;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.truth.Attempts;
import kvant.load.truth.TestServer;
import kvant.load.workload.Mix;
import kvant.load.workload.Operation;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever a server does, every request that was due is in exactly one place, and in the histogram.
class AccountingTest {

    private static final Duration RUN = Duration.ofMillis(600);

    private static LoadPlan plan(TestServer server, Workload workload, int connections, Pace pace) {
        Clients clients = Clients.defaults().withConnections(connections).with(c -> c.timeout = Duration.ofSeconds(5));
        return LoadPlan.of(Target.parse(server.url()), workload, clients, pace);
    }

    private static RunResult open(TestServer server, int connections, double rate) {
        return run(plan(server, Workload.plain("GET"), connections, Pace.open(rate, RUN)));
    }

    private static RunResult run(LoadPlan plan) {
        RunResult result = LoadRun.run(plan, new StopSwitch(), Progress.SILENT);
        assertIdentities(result);
        return result;
    }

    private static void assertIdentities(RunResult result) {
        RequestCounts counts = result.counts();
        assertThat(counts.due()).isEqualTo(counts.of(Count.SENT) + counts.of(Count.UNSENT));
        assertThat(counts.of(Count.SENT)).isEqualTo(counts.of(Count.ANSWERED) + counts.failedCount());
        assertThat(result.totals().response().getTotalCount())
                .as("every due request has a response time")
                .isEqualTo(counts.due());
        assertThat(result.totals().errors().getTotalCount()).isEqualTo(counts.errors());
        assertThat(result.totals().acceptedResponse().getTotalCount()).isEqualTo(counts.due() - counts.errors());
        assertThat(result.totals().refused().getTotalCount())
                .isEqualTo(counts.of(Count.UNEXPECTED) + counts.of(Count.WRONG_BODIES));
        long statuses = 0;
        for (int status = 100; status < RequestCounts.STATUS_END; status++) {
            statuses += counts.statusCount(status);
        }
        assertThat(statuses).isEqualTo(counts.of(Count.ANSWERED));
        if (!result.plan().pace().isClosed()) {
            Histogram punctual = result.totals().punctual();
            assertThat(punctual.getTotalCount()).isEqualTo(counts.due());
            assertThat(punctual.getMean())
                    .isLessThanOrEqualTo(result.totals().response().getMean());
            assertThat(result.totals().service().getTotalCount()).isEqualTo(counts.of(Count.ANSWERED));
            assertThat(result.totals().lag().getTotalCount()).isEqualTo(counts.of(Count.SENT));
        }
        long inWindows = result.totals().windows().stream()
                .mapToLong(window -> window.completed())
                .sum();
        long inBlocks = result.totals().blocks().stream()
                .mapToLong(block -> block.getTotalCount())
                .sum();
        assertThat(inWindows).isEqualTo(counts.due());
        assertThat(inBlocks).isEqualTo(counts.due());
    }

    @ParameterizedTest
    @EnumSource(Sockets.Kind.class)
    void aServerThatAnswersIsCountedExactly(Sockets.Kind transport) throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 8, Pace.open(500, RUN));
            Clients clients = plan.clients().with(c -> {
                c.transport = transport;
                c.threads = 2;
            });
            RunResult result = run(LoadPlan.of(plan.target(), plan.workload(), clients, plan.pace()));

            assertThat(result.counts().due()).isEqualTo(300); // 500/s for 0.6 s, to the request
            assertThat(result.counts().statusCount(200)).isEqualTo(300).isEqualTo(server.requests());
            assertThat(result.counts().errors()).isZero();
            assertThat(result.reconnects()).isZero();
            assertThat(server.connections()).isEqualTo(8);
            assertThat(result.isPartial()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Sockets.Kind.class,
            names = {"EPOLL", "NIO"})
    void aServerThatClosesAfterEachThirdAnswerLosesNothing(Sockets.Kind transport) throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            exchange.ok();
            if (exchange.onConnection() % 3 == 2) {
                exchange.close();
            }
        })) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 4, Pace.open(200, RUN));
            Clients clients = plan.clients().with(c -> c.transport = transport);
            RunResult result = run(LoadPlan.of(plan.target(), plan.workload(), clients, plan.pace()));

            // A close can cross a request on its way: that one is failed and said to be, and nothing is silence.
            assertThat(result.reconnects()).isGreaterThan(10);
            assertThat(result.counts().of(Count.ANSWERED)
                            + result.counts().failedCount(Failure.CLOSED)
                            + result.counts().failedCount(Failure.RESET))
                    .isEqualTo(result.counts().due())
                    .isEqualTo(120);
            assertThat(result.counts().of(Count.ANSWERED)).isGreaterThan(60);
        }
    }

    @Test
    void anAnnouncedCloseIsNoFailure() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            exchange.raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            exchange.close();
        })) {
            RunResult result = open(server, 4, 100);

            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(60);
            assertThat(result.counts().errors()).isZero();
            assertThat(result.reconnects()).isBetween(56L, 60L);
        }
    }

    @Test
    void whoAnnouncesACloseIsNotAskedAgain() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            if (exchange.onConnection() > 0) {
                TimeUnit.SECONDS.sleep(30); // it has said that it would not
            }
            exchange.raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        })) {
            RunResult result = open(server, 4, 100);

            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(60);
            assertThat(result.counts().errors()).isZero();
        }
    }

    @Test
    void aBodyThatEndsWithItsConnectionIsAnAnswer() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            exchange.raw("HTTP/1.1 200 OK\r\n\r\nuntil the end");
            exchange.close();
        })) {
            RunResult result = open(server, 4, 100);

            assertThat(result.counts().statusCount(200)).isEqualTo(60);
            assertThat(result.counts().errors()).isZero();
        }
    }

    @Test
    void anAnswerToHeadHasALengthAndNoBody() throws IOException {
        try (TestServer server =
                TestServer.start(exchange -> exchange.raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"))) {
            RunResult result = run(plan(server, Workload.plain("HEAD"), 4, Pace.open(100, RUN)));

            assertThat(result.counts().statusCount(200)).isEqualTo(60);
            assertThat(result.counts().errors()).isZero();
        }
    }

    @Test
    void resetsAreDetectedAndCounted() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            if (exchange.number() % 5 == 4) {
                exchange.reset();
            } else {
                exchange.ok();
            }
        })) {
            RunResult result = open(server, 4, 200);

            assertThat(result.counts().failedCount(Failure.RESET)).isEqualTo(24);
            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(96);
            assertThat(result.reconnects()).isEqualTo(24);
            assertThat(result.lastTrouble()).containsIgnoringCase("reset");
        }
    }

    @Test
    void garbageIsCountedAndNotTakenForAnAnswer() throws IOException {
        try (TestServer server = TestServer.start(exchange -> exchange.raw("220 mail.example ESMTP\r\n"))) {
            RunResult result = open(server, 4, 100);

            assertThat(result.counts().of(Count.ANSWERED)).isZero();
            assertThat(result.counts().failedCount(Failure.GARBAGE)).isPositive();
            assertThat(result.lastTrouble()).isEqualTo("no HTTP/1.x status line");
            assertThat(result.validity().grade()).isEqualTo(Validity.Grade.INVALID);
            assertThat(result.validity().why()).contains("no request was answered");
        }
    }

    @Test
    void bytesThatNobodyAskedForAreGarbage() throws IOException {
        try (TestServer server =
                TestServer.start(exchange -> exchange.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more"))) {
            RunResult result = open(server, 2, 50);

            assertThat(result.lastTrouble()).isEqualTo("bytes without a request");
            assertThat(result.reconnects()).isPositive();
            assertThat(result.strays()).isPositive();
            assertThat(result.validity().grade()).isNotEqualTo(Validity.Grade.VALID);
        }
    }

    @Test
    void whoSaysThatItClosesAnIdleConnectionSpeaksInTurn() throws IOException {
        try (TestServer server =
                TestServer.start(exchange -> exchange.raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                        + "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))) {
            RunResult result = open(server, 2, 50);

            assertThat(result.strays()).isZero();
            assertThat(result.counts().statusCount(200)).isEqualTo(30);
            assertThat(result.counts().errors()).isZero();
            assertThat(result.lastTrouble()).isEqualTo("the server closed a connection that was idle (408)");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CLOSED  | ''                                                | the server closed without an answer",
                "CLOSED  | HTTP/1.                                           | in its status line",
                "CLOSED  | HTTP/1.1 200 OK~Content-                          | in its head",
                "CLOSED  | HTTP/1.1 200 OK~Content-Length: 10~~hello         | in its body, after 5 of 10 bytes",
                "CLOSED  | HTTP/1.1 200 OK~Transfer-Encoding: chunked~~5~hel | in its chunks, after 3 bytes",
                "GARBAGE | SSH-2.0                                           | no HTTP/1.x status line",
                "GARBAGE | HTTP/1.1 101 Switching Protocols~~                | switched to another protocol (101)",
                "GARBAGE | HTTP/1.1 200 OK~Transfer-Encoding: br~~           | a transfer encoding other than chunked"
            })
    void anAnswerThatIsNoneNamesItsCauseAndTheServerIsNotGone(Failure failure, String answer, String cause)
            throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            exchange.raw(answer.replace("~", "\r\n"));
            exchange.close();
        })) {
            Pace pace = Pace.open(100, Duration.ofMillis(300)).with(p -> p.drain = Duration.ZERO);
            RunResult result = run(plan(server, Workload.plain("GET"), 2, pace));

            assertThat(result.partial()).isEmpty();
            assertThat(result.lastTrouble()).contains(cause);
            assertThat(result.validity().why())
                    .startsWith("no request was answered: ")
                    .contains(cause);
            assertThat(result.counts().failedCount(failure)).isPositive();
            assertThat(result.counts().failedCount() - result.counts().failedCount(Failure.UNANSWERED))
                    .isEqualTo(result.counts().failedCount(failure));
        }
    }

    @Test
    void answersOfAllKindsAreCountedExactly() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            switch ((int) (exchange.number() % 6)) {
                case 0 -> exchange.raw("HTTP/1.1 204 No Content\r\n\r\n");
                case 1 -> exchange.raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n");
                case 2 ->
                    exchange.raw("HTTP/1.1 202 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n"
                            + "2;x=y\r\nok\r\n0\r\nT: v\r\n\r\n");
                case 3 ->
                    exchange.raw("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                            + "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
                case 4 -> {
                    exchange.raw("HTTP/1.0 200 OK\r\n\r\nto the end");
                    exchange.close();
                }
                default -> {
                    exchange.raw("HTTP/1.1 203 OK\r\nConnection: close\r\nX: " + "x".repeat(31_000)
                            + "\r\nContent-Length: 2\r\n\r\nok");
                    exchange.socket().shutdownOutput(); // and continues reading
                }
            }
        })) {
            RunResult result = open(server, 1, 100);

            for (int status : new int[] {200, 201, 202, 203, 204, 304}) {
                assertThat(result.counts().statusCount(status)).as("%d", status).isEqualTo(10);
            }
            assertThat(result.counts().errors()).isZero();
            assertThat(result.strays()).isZero();
        }
    }

    @Test
    void whoSpeaksBeforeItWasAskedIsNotTakenForAnAnswer() throws Exception {
        byte[] answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.ISO_8859_1);
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        server.accept().getOutputStream().write(answer); // and never reads
                    }
                } catch (IOException _) {
                    // the end of the test
                }
            });
            LoadPlan plan = LoadPlan.of(
                    Target.parse("http://127.0.0.1:" + server.getLocalPort()),
                    Workload.plain("GET"),
                    Clients.defaults().withConnections(8),
                    Pace.closed(RUN).with(p -> p.drain = Duration.ZERO));
            RunResult result = run(plan);

            assertThat(result.strays()).isPositive();
        }
    }

    @Test
    void aServerThatNeverAnswersIsChargedWithAllOfTheTime() throws IOException {
        try (TestServer server = TestServer.start(exchange -> TimeUnit.SECONDS.sleep(30))) {
            Pace pace = Pace.open(100, RUN).with(p -> p.drain = Duration.ZERO);
            RunResult result = run(plan(server, Workload.plain("GET"), 4, pace));

            assertThat(result.counts().due()).isEqualTo(60);
            assertThat(result.counts().failedCount(Failure.UNANSWERED)).isEqualTo(4);
            assertThat(result.counts().of(Count.UNSENT)).isEqualTo(56);
            // Due between 0 and 600 ms, and charged until 600 ms or a little later: the median waited half of that.
            assertThat(result.totals().response().getMaxValue()).isGreaterThanOrEqualTo(590_000_000L);
            assertThat(result.totals().response().getValueAtPercentile(50)).isGreaterThanOrEqualTo(290_000_000L);
        }
    }

    @Test
    void aTimeoutGivesTheConnectionUp() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            if (exchange.number() == 3) {
                TimeUnit.SECONDS.sleep(30);
            }
            exchange.ok();
        })) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 4, Pace.open(100, RUN));
            Clients clients = plan.clients().with(c -> c.timeout = Duration.ofMillis(200));
            RunResult result = run(LoadPlan.of(plan.target(), plan.workload(), clients, plan.pace()));

            assertThat(result.counts().failedCount(Failure.TIMEOUT)).isPositive();
            assertThat(result.counts().of(Count.ANSWERED) + result.counts().failedCount(Failure.TIMEOUT))
                    .isEqualTo(60);
            assertThat(result.totals().errors().getMinValue()).isGreaterThanOrEqualTo(199_000_000L);
        }
    }

    @Test
    void answersThatComeByteByByteAreWhole() throws IOException {
        byte[] answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1);
        try (TestServer server = TestServer.start(exchange -> {
            for (byte one : answer) {
                exchange.raw(new byte[] {one});
            }
        })) {
            RunResult result = open(server, 2, 50);

            assertThat(result.counts().statusCount(200)).isEqualTo(30);
            assertThat(result.counts().errors()).isZero();
        }
    }

    @Test
    void pipelinedAnswersAreTakenInOrder() throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 2, Pace.closed(RUN));
            Clients clients = plan.clients().with(c -> c.depth = 8);
            RunResult result = run(LoadPlan.of(plan.target(), plan.workload(), clients, plan.pace()));

            assertThat(result.counts().of(Count.ANSWERED))
                    .isEqualTo(server.requests())
                    .isGreaterThan(100);
            assertThat(result.counts().errors()).isZero();
        }
    }

    @Test
    void aPipelinedAnswerBelongsToTheOldestRequest() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            if (exchange.number() == 0) {
                TimeUnit.MILLISECONDS.sleep(300);
            }
            exchange.ok();
        })) {
            LoadPlan plan = plan(server, Workload.plain("GET"), 1, Pace.open(100, RUN));
            Clients clients = plan.clients().with(c -> c.depth = 100);
            RunResult result = run(LoadPlan.of(plan.target(), plan.workload(), clients, plan.pace()));

            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(60);
            assertThat(result.totals().response().getMaxValue()).isGreaterThanOrEqualTo(299_000_000L);
            assertThat(result.totals().service().getMaxValue()).isGreaterThanOrEqualTo(250_000_000L);
        }
    }

    @Test
    void aServerThatDiesInTheMiddleLeavesAPartialResult() throws Exception {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            LoadPlan plan = plan(
                    server,
                    Workload.plain("GET"),
                    4,
                    Pace.open(100, Duration.ofSeconds(60)).with(p -> p.window = Duration.ofMillis(100)));
            Clients clients = plan.clients().with(c -> c.giveUp = Duration.ofMillis(500));
            CompletableFuture<Void> death = CompletableFuture.runAsync(() -> dieAfter(server, 40));
            RunResult result = LoadRun.run(
                    LoadPlan.of(plan.target(), plan.workload(), clients, plan.pace()),
                    new StopSwitch(),
                    Progress.SILENT);
            death.get();

            assertIdentities(result);
            assertThat(result.partial()).startsWith("the server is gone: ").contains("refused");
            assertThat(result.counts().of(Count.ANSWERED)).isGreaterThanOrEqualTo(36);
            assertThat(result.counts().of(Count.UNSENT)).isPositive();
            assertThat(result.elapsedNanos()).isLessThan(TimeUnit.SECONDS.toNanos(30));
        }
    }

    private static void dieAfter(TestServer server, long requests) {
        try {
            while (server.requests() < requests) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            server.die();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPersonWhoStopsGetsWhatThereIs() throws Exception {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            StopSwitch stop = new StopSwitch();
            LoadPlan plan = plan(server, Workload.plain("GET"), 4, Pace.open(200, Duration.ofSeconds(60)));
            Thread person = Thread.ofVirtual().start(() -> {
                while (server.requests() < 30) {
                    Thread.onSpinWait();
                }
                stop.stop();
            });
            RunResult result = LoadRun.run(plan, stop, Progress.SILENT);
            person.join();

            assertIdentities(result);
            assertThat(result.partial()).isEqualTo("stopped before its end");
            assertThat(result.counts().of(Count.ANSWERED)).isGreaterThanOrEqualTo(25);
        }
    }

    @Test
    void anUnreachableServerIsOneLine() throws IOException {
        TestServer server = TestServer.start(TestServer.Exchange::ok);
        server.close();

        assertThatThrownBy(() -> open(server, 4, 100))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("cannot connect to 127.0.0.1:")
                .hasMessageEndingWith("Connection refused");
    }

    @Test
    void errorStatusesAreErrorsAndMissesThatWereMeantAreNot() throws IOException {
        try (TestServer server = TestServer.start(
                exchange -> exchange.answer(exchange.requestLine().contains("x HTTP") ? 404 : 200, new byte[0]))) {
            Workload gets = Workload.named("get").with(w -> {
                w.keys = 1000;
                w.hits = 0.5;
            });
            RunResult result = run(plan(server, gets, 4, Pace.open(500, RUN)));

            assertThat(result.counts().statusCount(404)).isBetween(100L, 200L);
            assertThat(result.counts().errors()).isZero();
        }
        try (TestServer server =
                TestServer.start(exchange -> exchange.answer(exchange.number() % 3 == 0 ? 503 : 404, new byte[0]))) {
            RunResult result = run(plan(server, Workload.named("get"), 4, Pace.open(100, RUN)));

            assertThat(result.counts().of(Count.UNEXPECTED)).isEqualTo(60);
            assertThat(result.counts().statusCount(503)).isEqualTo(20);
        }
    }

    @Test
    void theTimesOfTheRefusedAreNotThoseOfTheAccepted() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            if (exchange.number() % 4 == 0) {
                exchange.answer(503, new byte[0]);
            } else {
                TimeUnit.MILLISECONDS.sleep(30);
                exchange.ok();
            }
        })) {
            RunResult result = open(server, 32, 200);

            long quarter = result.counts().due() / 4;
            assertThat(result.totals().refused().getTotalCount()).isEqualTo(quarter);
            assertThat(result.totals().acceptedService().getTotalCount()).isEqualTo(3 * quarter);
            assertThat(result.totals().refused().getValueAtPercentile(50)).isLessThan(30_000_000);
            assertThat(result.totals().acceptedService().getMinValue()).isGreaterThanOrEqualTo(29_900_000);
            assertThat(result.totals().acceptedResponse().getMinValue()).isGreaterThanOrEqualTo(29_900_000);
        }
    }

    @Test
    void wrongBodiesAreFound() throws IOException {
        try (TestServer server = TestServer.start(exchange -> {
            String line = exchange.requestLine();
            long key = Long.parseLong(line.replaceAll("GET /v0/entity\\?id=k(\\d+) HTTP/1.1", "$1"));
            byte[] value = new byte[exchange.number() % 10 == 1 ? 99 : 100];
            Values.write(exchange.number() % 10 == 2 ? key + 1 : key, value.length, value, 0);
            exchange.answer(200, value);
        })) {
            LoadPlan plan =
                    plan(server, Workload.named("get"), 4, Pace.open(100, RUN)).with(p -> p.verify = true);
            RunResult result = run(plan);

            assertThat(result.counts().of(Count.WRONG_BODIES))
                    .isEqualTo(12); // one in ten too short, one in ten another's
            assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(60);
        }
    }

    @Test
    void aReadModifyWriteIsAGetAndThenAPutOfItsKey() throws IOException {
        StringBuffer lines = new StringBuffer();
        try (TestServer server = TestServer.start(exchange -> {
            lines.append(exchange.requestLine()).append('\n');
            exchange.ok();
        })) {
            Workload rmw = Workload.named("f").with(w -> w.mix = Mix.of(mix -> mix.rmw = 1));
            RunResult result = run(plan(server, rmw, 1, Pace.open(50, RUN)));

            assertThat(result.counts().of(Count.FOLLOW_UPS)).isEqualTo(30);
            assertThat(result.scheduledRate()).as("what the target is about").isBetween(1.0, 50.1);
            assertThat(result.achievedRate()).as("answers").isGreaterThan(result.scheduledRate());
            assertThat(result.totals().operation(Operation.RMW).getTotalCount()).isEqualTo(30);
            assertThat(result.totals().operation(Operation.PUT).getTotalCount()).isEqualTo(30);
            String[] seen = lines.toString().split("\n");
            for (int i = 0; i < 60; i += 2) {
                assertThat(seen[i]).startsWith("GET ");
                assertThat(seen[i + 1]).isEqualTo(seen[i].replace("GET", "PUT"));
            }
        }
    }

    @Test
    void aNewKeyIsAskedForOnceItsPutIsAcknowledged() throws IOException {
        var asked = ConcurrentHashMap.<Long>newKeySet();
        try (TestServer server = TestServer.start(exchange -> {
            long key = Long.parseLong(exchange.requestLine().replaceAll(".* /v0/entity\\?id=k(\\d+) HTTP/1.1", "$1"));
            boolean put = exchange.requestLine().startsWith("PUT ");
            if (!put) {
                asked.add(key);
            }
            exchange.answer(put && key % 2 == 1 ? 503 : 200, new byte[0]);
        })) {
            Workload latest = Workload.named("d").with(w -> {
                w.keys = 1000;
                w.mix = Mix.gets(0.5, mix -> mix.insert = 0.5);
            });
            run(plan(server, latest, 4, Pace.open(500, RUN)));
        }

        assertThat(asked).as("the newest are asked for").anyMatch(key -> key >= 1000);
        assertThat(asked).as("what was refused does not exist").noneMatch(key -> key >= 1000 && key % 2 == 1);
    }

    @Test
    void aPutThatFollowsAndIsNeverSentIsCounted() throws Exception {
        Workload rmw = Workload.named("f").with(w -> w.mix = Mix.of(mix -> mix.rmw = 1));
        Attempts.untilItHolds(() -> {
            try (TestServer server = TestServer.start(exchange -> {
                exchange.server().refuse();
                exchange.raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            })) {
                RunResult result = run(plan(server, rmw, 1, Pace.open(5, RUN)));

                assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(1);
                assertThat(result.counts().of(Count.FOLLOW_UPS)).isEqualTo(1);
                assertThat(result.totals().operation(Operation.PUT).getTotalCount())
                        .isEqualTo(1);
                assertThat(result.counts().of(Count.UNSENT)).isEqualTo(3); // the put, and two that were due
            }
        });
    }

    @Test
    void answersThatComeAfterTheEndAreOfNoSecondOfTheMeasuredTime() throws Exception {
        try (TestServer server = TestServer.start(exchange -> {
            Thread.sleep(200); // the server that is asked for
            exchange.ok();
        })) {
            Pace pace = Pace.open(100, RUN).with(p -> p.warmup = Warmup.fixed(RUN));
            Attempts.untilItHolds(() -> {
                RunResult result = run(plan(server, Workload.plain("GET"), 64, pace));

                assertThat(result.counts().of(Count.ANSWERED)).isEqualTo(60);
                assertThat(result.elapsedNanos()).isGreaterThan(result.measuredNanos() + 150_000_000);
                assertThat(result.achievedRate()).isBetween(90.0, 110.0); // and not 60 in 0.8 s
            });
        }
    }

    @Test
    void aDepthIsReachedWithRequestsOfWhichOneFillsTheOutbox() throws IOException {
        AtomicBoolean more = new AtomicBoolean();
        try (TestServer server = TestServer.start(exchange -> {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!more.get() && System.nanoTime() - until < 0) {
                more.set(exchange.socket().getInputStream().available() > 45 << 10); // of more than one more
                Thread.onSpinWait();
            }
            exchange.ok();
        })) {
            Workload large = Workload.named("put").with(w -> w.values = ValueSizes.fixed(40 << 10));
            LoadPlan plan = plan(server, large, 1, Pace.closed(RUN));
            Clients clients = plan.clients().with(c -> {
                c.depth = 4;
                c.timeout = Duration.ofSeconds(60);
            });
            RunResult result = run(plan.with(p -> p.clients = clients));

            assertThat(more).as("the next requests are sent before the answer").isTrue();
            assertThat(result.counts().of(Count.ANSWERED)).isGreaterThan(1);
        }
    }

    @Test
    void aPostWithoutABodySaysSo() throws IOException {
        var heads = ConcurrentHashMap.<String>newKeySet();
        try (TestServer server = TestServer.start(exchange -> {
            heads.add(exchange.head());
            exchange.ok();
        })) {
            run(plan(server, Workload.plain("POST"), 1, Pace.open(50, RUN)));
            assertThat(heads).singleElement().asString().contains("\r\nContent-Length: 0\r\n");
            heads.clear();
            run(plan(server, Workload.plain("GET"), 1, Pace.open(50, RUN)));
            assertThat(heads).singleElement().asString().doesNotContain("Content-Length");
        }
    }

    @Test
    void aPrefillPutsEachKeyUntilItIsAcknowledged() throws IOException {
        var acknowledged = ConcurrentHashMap.<String>newKeySet();
        try (TestServer server = TestServer.start(exchange -> {
            if (exchange.number() % 4 == 0) {
                exchange.answer(503, new byte[0]);
            } else {
                assertThat(exchange.body()).hasSize(100);
                acknowledged.add(exchange.requestLine());
                exchange.answer(201, new byte[0]);
            }
        })) {
            LoadPlan plan = plan(server, Workload.named("get").with(w -> w.keys = 500), 4, Pace.open(100, RUN));
            Prefill.run(plan, 500, new StopSwitch(), Progress.SILENT);

            assertThat(acknowledged).hasSize(500).contains("PUT /v0/entity?id=k00000000499 HTTP/1.1");
        }
    }

    @Test
    void aWarmUpIsLeftOut() throws IOException {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            Pace pace = Pace.open(200, RUN).with(p -> p.warmup = Warmup.fixed(Duration.ofMillis(500)));
            RunResult result = run(plan(server, Workload.plain("GET"), 4, pace));

            assertThat(result.counts().due()).isBetween(119L, 121L);
            RequestCounts warmup = result.warmup().counts();
            assertThat(warmup.due()).isBetween(100L, 300L);
            assertThat(result.counts().of(Count.SENT) + warmup.of(Count.SENT)).isEqualTo(server.requests());
        }
    }
}
