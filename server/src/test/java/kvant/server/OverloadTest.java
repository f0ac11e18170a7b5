package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests beyond a bound are refused at once, and accepted ones are answered.
class OverloadTest {

    @Test
    void aFullQueueRefusesWithRetryAfterAndAcceptedRequestsAreAnswered() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).withQueue(2))) {
            harness.engine.load(bytes("k"), bytes("v"));
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient running = harness.client().send(get("k"));
            await().until(() -> gate.waiting() == 1);
            RawClient waiting = harness.client().send(get("k") + get("k"));
            await().until(() -> harness.waiting() == 2);
            RawClient refused = harness.client();
            await().until(() -> refused.exchange(get("k")).status() == 503);
            RawClient.Answer answer = refused.exchange(get("k"));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            assertThat(answer.text()).contains("urn:kvant:problem:overloaded");
            assertThat(refused.exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n")
                            .status())
                    .isEqualTo(200);
            RawClient ready = harness.client().send("GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n");
            gate.open();
            for (RawClient accepted : List.of(running, waiting, waiting)) {
                assertThat(accepted.read().text()).isEqualTo("v");
            }
            assertThat(ready.read().status())
                    .as("a full queue does not make the engine unready")
                    .isEqualTo(200);
            assertThat(refused.exchange(get("k")).status()).isEqualTo(200);
        }
    }

    @Test
    void anUnboundedQueueTakesEverythingInFlight() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).withQueue(NodeOptions.UNBOUNDED))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                clients.add(harness.client().send(get("k").repeat(50)));
            }
            await().until(() -> gate.waiting() == 1);
            gate.open();
            for (RawClient client : clients) {
                for (int i = 0; i < 50; i++) {
                    assertThat(client.read().status()).isEqualTo(404);
                }
            }
        }
    }

    @Test
    void requestsInFlightAreBoundedWhateverTheQueue() throws Exception {
        HttpLimits limits = HttpLimits.defaults().with(l -> l.maxInFlight = 3);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
                    o.limits = limits;
                    o.eventLoops = 1;
                })
                .withWorkers(1)
                .withQueue(NodeOptions.UNBOUNDED))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("k").repeat(4));
            await().until(() -> gate.waiting() == 1);
            gate.open();
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                statuses.add(client.read().status());
            }
            assertThat(statuses).containsExactly(404, 404, 404, 503);
            assertThat(client.exchange(get("k")).status())
                    .as("places are given back")
                    .isEqualTo(404);
        }
    }

    @Test
    void placesInFlightAndBodyMemoryAreGivenBackWhenTheClientGoesAway() throws Exception {
        try (NodeHarness harness = NodeHarness.async()) {
            Gate gate = new Gate();
            harness.engine.blockCommits(gate);
            RawClient client = harness.client().send(put("k", "x".repeat(100_000)));
            RawClient half = harness.client()
                    .send("PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\nxyz");
            await().until(() ->
                    gate.waiting() == 1 && harness.node.memory().bodies().claimedBytes() == 100_003);
            for (RawClient each : List.of(client, half)) {
                each.socket().setSoLinger(true, 0); // a reset: a mere end of input would still be answered
                each.close();
            }
            await().until(() -> harness.node.connections() == 0
                    && harness.node.memory().bodies().claimedBytes() < 100_003);
            assertThat(harness.node.memory().bodies().claimedBytes())
                    .as("the engine still holds it")
                    .isEqualTo(100_000);
            gate.open();
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        }
    }

    @Test
    void bodiesBeyondTheMemoryBudgetAreRefusedAndTheirConnectionGoesOn() throws Exception {
        HttpLimits limits = HttpLimits.defaults().with(l -> l.maxBufferedBodyBytes = 200_000);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.limits = limits))) {
            RawClient first = harness.client()
                    .send("PUT /v0/entity?id=a HTTP/1.1\r\nHost: h\r\nContent-Length: 150000\r\n\r\n")
                    .send("x".repeat(140_000));
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 150_000);
            RawClient second = harness.client();
            second.send("PUT /v0/entity?id=b HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
                    .send("x".repeat(50_000));
            RawClient.Answer answer = second.read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("1");
            second.send("x".repeat(50_000));
            assertThat(second.exchange(put("b", "x")).status()).isEqualTo(201);
            RawClient chunked = harness.client();
            chunked.send("PUT /v0/entity?id=c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n");
            chunked.send("x".repeat(100_000));
            assertThat(chunked.read().status()).isEqualTo(503);
            chunked.send("\r\n0\r\n\r\n");
            assertThat(chunked.exchange(put("c", "x")).status()).isEqualTo(201);
            first.send("x".repeat(10_000));
            assertThat(first.read().status()).isEqualTo(201);
            assertThat(first.exchange(put("d", "x".repeat(300_000))).status())
                    .as("one always fits")
                    .isEqualTo(201);
            assertThat(harness.engine.stored(bytes("b"))).hasSize(1);
        }
    }

    @Test
    void oneStuckReadDoesNotDelayOthersUnderAsync() throws Exception {
        try (NodeHarness harness =
                new NodeHarness(options -> options.with(o -> o.eventLoops = 1).withWorkers(2))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("k"));
            await().until(() -> gate.waiting() == 1);
            harness.engine.blockReads(null);
            assertThat(harness.client().exchange(get("k")).status()).isEqualTo(404);
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void valuesOnTheirWayToSlowClientsAreBoundedAndGivenBack() throws Exception {
        for (ExecutorKind executor : ExecutorKind.values()) {
            try (NodeHarness harness = new NodeHarness(options ->
                    options.withExecutor(executor).with(o -> o.limits = withMemory(1 << 20, 32 << 20)))) {
                int length = 24 << 20;
                harness.engine.load(bytes("large"), new byte[length]);
                harness.engine.load(bytes("small"), bytes("v"));
                String scan = "GET /v0/entities?start=l&end=m HTTP/1.1\r\nHost: h\r\n\r\n";
                for (String held : List.of(get("large"), scan)) {
                    RawClient slow = harness.client(4096).send(held);
                    assertThat(slow.readHead()).contains(" 200 ");
                    assertThat(harness.node.memory().answers().claimedBytes()).isGreaterThanOrEqualTo(length);
                    RawClient other = harness.client();
                    assertThat(other.exchange(get("small")).text()).isEqualTo("v");
                    slow.socket().setSoLinger(true, 0);
                    slow.close();
                    await().until(() ->
                            harness.node.memory().answers().claimedBytes() == 0 && harness.node.openScans() == 0);
                    assertThat(other.exchange(get("large")).body()).hasSize(length);
                    await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
                }
            }
        }
    }

    /// The second long value would not fit next to the first one, which the engine is just reading.
    @ParameterizedTest
    @EnumSource(value = ExecutorKind.class, mode = EnumSource.Mode.EXCLUDE, names = "SYNC")
    void aLongAnswerThatFindsNoMemoryIsRefused(ExecutorKind executor) throws Exception {
        int length = 2 << 20;
        try (NodeHarness harness = new NodeHarness(options ->
                options.withExecutor(executor).with(o -> o.limits = withMemory(1 << 20, 2 << 20)))) {
            harness.engine.load(bytes("large"), new byte[length]);
            assertThat(harness.client().exchange(get("large")).body()).hasSize(length);
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient first = harness.client().send(get("large"));
            await().until(() -> gate.waiting() == 1);
            assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(length);
            RawClient other = harness.client();
            for (String refused : List.of(get("large"), "GET /v0/entities?start=l HTTP/1.1\r\nHost: h\r\n\r\n")) {
                RawClient.Answer answer = other.exchange(refused);
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.header("Retry-After")).isEqualTo("1");
            }
            gate.open();
            assertThat(first.read().body()).hasSize(length);
        }
    }

    private static HttpLimits withMemory(long bodyBytes, long answerBytes) {
        return HttpLimits.defaults().with(l -> {
            l.maxBufferedBodyBytes = bodyBytes;
            l.maxAnswerBytes = answerBytes;
        });
    }
}
