package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.hasty;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.SocketException;
import java.time.Duration;
import kvant.engine.EngineException;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;

/// Clients that send or take next to nothing, and clients that are taken for such ones and are not.
class SlowClientsTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String BODY = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n";

    @Test
    void aBodyBelowTheLowestRateIsCutOffAlthoughItGoesOn() throws Exception {
        HttpLimits limits = hasty(LONG, Duration.ofSeconds(1), LONG, LONG).with(l -> l.minBodyBytesPerSecond = 10_000);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.limits = limits))) {
            RawClient steady = harness.client().send(BODY);
            RawClient trickle = harness.client().send(BODY).send("x".repeat(900_000));
            int steadyBytes = 0;
            while (trickle.socket().getInputStream().available() == 0 && steadyBytes < 900_000) {
                trickle.send("x");
                steady.send("x".repeat(5000));
                steadyBytes += 5000;
                await().pollDelay(Duration.ofMillis(20)).until(() -> true);
            }
            assertThat(trickle.read().status()).isEqualTo(408);
            steady.send("x".repeat(1_000_000 - steadyBytes));
            assertThat(steady.read().status()).isEqualTo(201);
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        }
    }

    @Test
    void aBodyHasALatestEnd() throws Exception {
        HttpLimits limits = hasty(LONG, LONG, LONG, SHORT).with(l -> {
            l.minBodyBytesPerSecond = 0;
            l.bodyTimeout = Duration.ofMillis(300);
        });
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.limits = limits))) {
            RawClient client = harness.client().send(BODY);
            int sent = 0;
            while (client.socket().getInputStream().available() == 0 && sent++ < 500) {
                client.send("x");
                await().pollDelay(Duration.ofMillis(20)).until(() -> true);
            }
            assertThat(client.read().status()).isEqualTo(408);
        }
    }

    @Test
    void anEmptyLineAfterABodyIsNoRequestThatWouldTakeTooLong() throws Exception {
        HttpLimits limits = hasty(SHORT, LONG, LONG, SHORT);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.limits = limits))) {
            RawClient old = harness.client().send(put("k", "v") + "\r\n");
            assertThat(old.read().status()).isEqualTo(201);
            RawClient slow = harness.client().send("GET /v0");
            assertThat(slow.read().status()).as("a head takes too long").isEqualTo(408);
            assertThat(old.exchange(get("k")).text()).isEqualTo("v");
        }
    }

    @Test
    void aHeadThatWaitsBehindAFullPipelineHasAllItsTimeAfterwards() throws Exception {
        HttpLimits limits = hasty(SHORT, LONG, LONG, SHORT);
        try (NodeHarness harness =
                new NodeHarness(options -> options.withWorkers(1).with(o -> o.limits = limits))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client()
                    .send(get("k").repeat(HttpLimits.defaults().maxWaitingReads()) + "GET /v0/entity?id=k HT");
            await().until(() -> gate.waiting() == 1);
            RawClient slow = harness.client().send("GET /v0");
            assertThat(slow.read().status()).as("a head takes too long").isEqualTo(408);
            gate.open();
            for (int i = 0; i < HttpLimits.defaults().maxWaitingReads(); i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
            assertThat(client.exchange("TP/1.1\r\nHost: h\r\n\r\n").status()).isEqualTo(404);
        }
    }

    @Test
    void aRangeOverHttp10ThatBreaksOffDoesNotLookComplete() throws Exception {
        try (NodeHarness harness = NodeHarness.async()) {
            for (int i = 0; i < 1000; i++) {
                harness.engine.load(bytes("k%04d".formatted(i)), new byte[1000]);
            }
            String request = "GET /v0/entities?start=k HTTP/1.0\r\n\r\n";
            RawClient whole = harness.client().send(request);
            assertThat(whole.readToEnd()).hasSizeGreaterThan(1_000_000);
            harness.engine.failScans(900, new EngineException.Io("a disk failed", null));
            RawClient cut = harness.client().send(request);
            assertThatThrownBy(cut::readToEnd)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }
}
