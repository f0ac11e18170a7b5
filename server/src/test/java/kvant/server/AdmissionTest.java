package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import kvant.server.admit.AdmissionOptions;
import kvant.server.execute.PoolOptions;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Admission: requests that are turned away although there is room, and that no others are.
class AdmissionTest {

    private static final String KEY = "get " + HexFormat.of().formatHex(bytes("late"));

    private static String withDeadline(String id, String millis) {
        return "GET /v0/entity?id=" + id + " HTTP/1.1\r\nHost: h\r\nKvant-Deadline-Millis: " + millis + "\r\n\r\n";
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutorKind.class,
            names = {"ASYNC", "ADAPTIVE"})
    void aRequestWhoseDeadlinePassedWhileItWaitedIsAnsweredAndNeverExecuted(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor)
                .with(o -> o.admission = AdmissionOptions.none())
                .withWorkers(1))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("stuck"));
            await().until(() -> gate.waiting() == 1);
            RawClient patient = harness.client().send(withDeadline("patient", "600000"));
            RawClient.Answer answer = harness.client().exchange(withDeadline("late", "30"));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("urn:kvant:problem:deadline-passed");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(gate.waiting()).as("while the worker is still stuck").isEqualTo(1);
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(patient.read().status()).isEqualTo(404);
            assertThat(harness.engine.calls()).hasSize(2).doesNotContain(KEY);
        }
    }

    @Test
    void theDefaultDeadlineHoldsWhereTheRequestSaysNone() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withWorkers(1)
                .with(o -> o.admission = AdmissionOptions.none().with(a -> a.deadline = Duration.ofMillis(30))))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("stuck"));
            await().until(() -> gate.waiting() == 1);
            assertThat(harness.client().exchange(get("late")).status()).isEqualTo(503);
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(harness.engine.calls()).doesNotContain(KEY);
        }
    }

    /// Behind a request that keeps the loop: it has been read, and waits to be begun.
    @Test
    void aDeadlineHoldsOnAnEventLoopToo() throws Exception {
        try (NodeHarness harness = new NodeHarness(
                options -> options.withExecutor(ExecutorKind.SYNC).with(o -> o.eventLoops = 1))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("stuck") + withDeadline("late", "1"));
            await().until(() -> gate.waiting() == 1);
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > 5_000_000);
            gate.open();
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.read().status()).isEqualTo(503);
            assertThat(harness.engine.calls()).doesNotContain(KEY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1s", "", "1\r\nKvant-Deadline-Millis: 2"})
    void aDeadlineIsOnePositiveNumber(String millis) throws Exception {
        try (NodeHarness harness = NodeHarness.async()) {
            RawClient client = harness.client();
            RawClient.Answer answer = client.exchange(withDeadline("k", millis));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("urn:kvant:problem:bad-deadline");
            assertThat(client.exchange(get("k")).status()).isEqualTo(404);
        }
    }

    @Test
    void whoWaitsInAStandingQueueIsTurnedAwaySoonAndABurstIsNot() throws Exception {
        AdmissionOptions admission =
                new AdmissionOptions(Duration.ZERO, Duration.ofMillis(5), Duration.ofMillis(100), false);
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.admission = admission))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("stuck"));
            await().until(() -> gate.waiting() == 1);
            long sent = System.nanoTime();
            RawClient burst = harness.client();
            RawClient.Answer first = burst.exchange(get("late") + get("late"));
            long waited = System.nanoTime() - sent;
            assertThat(first.status()).isEqualTo(503);
            assertThat(first.header("Retry-After")).isEqualTo("1");
            assertThat(Duration.ofNanos(waited))
                    .as("a queue stands after a while only")
                    .isGreaterThan(Duration.ofMillis(70));
            Duration fastest = Duration.ofDays(1);
            for (int i = 0; i < 20; i++) {
                long begun = System.nanoTime();
                burst.send(get("late") + get("late"));
                assertThat(burst.read().status()).as("who was left alone").isEqualTo(503);
                assertThat(burst.read().status()).isEqualTo(503);
                Duration took = Duration.ofNanos(System.nanoTime() - begun);
                fastest = took.compareTo(fastest) < 0 ? took : fastest;
            }
            assertThat(fastest)
                    .as("a queue that stands is known to stand")
                    .isBetween(Duration.ofMillis(5), Duration.ofMillis(10));
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(burst.read().status()).isIn(404, 503); // perhaps the only one that waited
            await().until(() -> burst.exchange(get("late")).status() == 404);
        }
    }

    @Test
    void whoIsTheOnlyOneThatWaitsIsServedHoweverLongItTakes() throws Exception {
        AdmissionOptions hasty = new AdmissionOptions(Duration.ZERO, Duration.ofNanos(1), Duration.ZERO, false);
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.admission = hasty))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("stuck"));
            await().until(() -> gate.waiting() == 1);
            RawClient lone = harness.client().send(get("lone"));
            await().until(() -> harness.waiting() == 1);
            long begun = System.nanoTime();
            await().until(() -> System.nanoTime() - begun > 50_000_000); // the watch looks every 20 ms
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(lone.read().status()).isEqualTo(404);
        }
    }

    @Test
    void theNewestIsServedFirstWhileAQueueStands() throws Exception {
        AdmissionOptions admission =
                new AdmissionOptions(Duration.ZERO, Duration.ofSeconds(30), Duration.ofMillis(50), false);
        PoolOptions pool = PoolOptions.blocking(1).withWorkers(1);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
            o.pool = pool;
            o.admission = admission;
            o.eventLoops = 1;
        }))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("stuck"));
            await().until(() -> gate.waiting() == 1);
            long begun = System.nanoTime();
            client.send(get("old")).send(get("middle")).send(get("new"));
            await().until(() -> harness.waiting() == 3 && System.nanoTime() - begun > 100_000_000);
            gate.open();
            for (int i = 0; i < 4; i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
            assertThat(harness.engine.calls().subList(1, 4))
                    .isEqualTo(List.of(call("new"), call("middle"), call("old")));
        }
    }

    @Test
    void aQueueThatStandsTakesNoMoreThanItsWorkersNeed() throws Exception {
        AdmissionOptions admission =
                new AdmissionOptions(Duration.ZERO, Duration.ofSeconds(30), Duration.ofMillis(50), false);
        PoolOptions pool = PoolOptions.blocking(1).withWorkers(1);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
            o.pool = pool;
            o.admission = admission;
            o.eventLoops = 1;
        }))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("stuck"));
            await().until(() -> gate.waiting() == 1);
            long begun = System.nanoTime();
            client.send(get("waits").repeat(4));
            await().until(() -> harness.waiting() == 4 && System.nanoTime() - begun > 100_000_000);
            assertThat(harness.client().exchange(get("late")).status()).isEqualTo(503);
            gate.open();
            for (int i = 0; i < 5; i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
            assertThat(harness.engine.calls()).doesNotContain(call("late"));
        }
    }

    @Test
    void aClientThatPipelinesDoesNotFillTheQueueOfTheOthers() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.eventLoops = 1))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient greedy = harness.client().send(get("greedy").repeat(200));
            await().until(() -> harness.waiting() == HttpLimits.defaults().maxWaitingReads() - 1);
            RawClient modest = harness.client().send(get("modest"));
            await().until(() -> harness.waiting() == HttpLimits.defaults().maxWaitingReads());
            gate.open();
            assertThat(modest.read().status()).isEqualTo(404);
            for (int i = 0; i < 200; i++) {
                assertThat(greedy.read().status()).isEqualTo(404);
            }
            assertThat(harness.engine.calls().indexOf(call("modest")))
                    .isEqualTo(HttpLimits.defaults().maxWaitingReads());
        }
    }

    @Test
    void aClientThatPipelinesDoesNotKeepTheLoopToItself() throws Exception {
        try (NodeHarness harness = new NodeHarness(
                options -> options.withExecutor(ExecutorKind.SYNC).with(o -> o.eventLoops = 1))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            int requests = 3000;
            RawClient modest = harness.client();
            assertThat(modest.exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n").status())
                    .isEqualTo(200);
            RawClient greedy = harness.client();
            harness.engine.blockReads(null);
            pipeline(greedy, requests); // so that the loop reads a lot at once from now on
            int before = harness.engine.calls().size();
            harness.engine.blockReads(gate);
            greedy.send(get("greedy").repeat(requests));
            await().until(() -> gate.waiting() == 1);
            modest.send(get("modest"));
            gate.open();
            assertThat(modest.read().status()).isEqualTo(404);
            for (int i = 0; i < requests; i++) {
                assertThat(greedy.read().status()).isEqualTo(404);
            }
            assertThat(harness.engine.calls().indexOf(call("modest")) - before)
                    .isLessThanOrEqualTo(2 * HttpLimits.defaults().turnRequests());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theAdaptiveLimitBoundsWhatRunsAtOnce(boolean adaptive) throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> {
                    o.eventLoops = 1;
                    o.admission = AdmissionOptions.none().with(a -> a.adaptive = adaptive);
                }))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            for (int i = 0; i < 5; i++) {
                harness.client().send(get("k").repeat(HttpLimits.defaults().maxWaitingReads()));
            }
            int most = adaptive ? 64 : 80;
            await().until(() -> harness.waiting() == most - 1);
            assertThat(harness.figure("kvant_admission_refused_total")).isEqualTo(80 - most);
            RawClient write = harness.client().send(put("k", "v"));
            await().until(() -> harness.waiting() == most); // writes have a limit of their own
            gate.open();
            assertThat(write.read().status()).isEqualTo(201);
            assertThat(harness.client().exchange(get("k")).status()).isEqualTo(200);
        }
    }

    @Test
    void memoryForAnAnswerIsClaimedBeforeItsValueIsRead() throws Exception {
        HttpLimits limits = HttpLimits.defaults().with(l -> l.maxAnswerBytes = 3 << 20);
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(8).with(o -> o.limits = limits))) {
            harness.engine.load(bytes("large"), new byte[1 << 20]);
            assertThat(harness.client().exchange(get("large")).body()).hasSize(1 << 20);
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(harness.client().send(get("large")));
            }
            await().until(() -> harness.figure("kvant_requests_total{operation=\"get\",result=\"refused\"}") == 6);
            assertThat(gate.waiting()).as("a quarter is for short ones").isEqualTo(2);
            assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(2 << 20);
            gate.open();
            for (RawClient client : clients) {
                assertThat(client.read().status()).isIn(200, 503);
            }
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    @Test
    void aShortAnswerClaimsNothingWhileLongOnesAreRead() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withWorkers(2))) {
            harness.engine.load(bytes("large"), new byte[1 << 20]);
            harness.engine.load(bytes("small"), bytes("v"));
            RawClient client = harness.client();
            assertThat(client.exchange(get("large")).body()).hasSize(1 << 20);
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            client.send(get("large"));
            await().until(() -> gate.waiting() == 1);
            harness.engine.blockReads(null);
            client.send(get("small")); // answered, but not before its turn
            await().until(() -> harness.engine.calls().contains(call("small")));
            assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(1 << 20);
            gate.open();
            assertThat(client.read().body()).hasSize(1 << 20);
            assertThat(client.read().text()).isEqualTo("v");
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    private static void pipeline(RawClient client, int requests) throws IOException {
        client.send(get("greedy").repeat(requests));
        for (int i = 0; i < requests; i++) {
            assertThat(client.read().status()).isEqualTo(404);
        }
    }

    private static String call(String key) {
        return "get " + HexFormat.of().formatHex(bytes(key));
    }
}
