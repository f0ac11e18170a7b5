package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The end of a node: accepted requests are answered.
@NullUnmarked
class DrainTest {

    private NodeHarness harness;

    @BeforeEach
    void start() {
        harness = NodeHarness.async();
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void acceptedRequestsAreAnsweredAndOnlyTheLastAnswerSaysClose() throws Exception {
        Gate gate = new Gate();
        harness.engine.blockCommits(gate);
        List<RawClient> idle = idleOnEachLoop();
        RawClient client = harness.client().send(put("a", "1") + put("b", "2"));
        await().until(() -> gate.waiting() == 1 && harness.engine.calls().size() == 4);
        Thread drain = Thread.startVirtualThread(harness.node::drain);
        awaitDrain(idle);
        gate.open();
        RawClient.Answer first = client.read();
        RawClient.Answer second = client.read();
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.headers("Connection")).isEmpty();
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.header("Connection")).isEqualTo("close");
        assertThat(client.isClosed()).isTrue();
        client.close();
        drain.join();
        assertThat(harness.node.connections()).isZero();
    }

    @Test
    void aRequestThatIsPartlyReadIsReadToItsEndAndAnswered() throws Exception {
        List<RawClient> idle = idleOnEachLoop();
        RawClient client = harness.client();
        client.send("PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nva");
        await().until(() -> harness.node.memory().bodies().claimedBytes() == 2);
        Thread drain = Thread.startVirtualThread(harness.node::drain);
        awaitDrain(idle);
        client.send("lue");
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("Connection")).isEqualTo("close");
        client.close();
        drain.join();
        assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("value"));
    }

    /// Its head, which has been sent, does not say that it is the last one.
    @Test
    void anAnswerThatIsUnderWayIsGivenToItsEndAndEndsItsConnection() throws Exception {
        byte[] value = new byte[100_000];
        for (int i = 0; i < 100; i++) {
            harness.engine.load(bytes("k" + i), value);
        }
        RawClient client = harness.client(16 << 10).send("GET /v0/entities?start=k HTTP/1.1\r\nHost: h\r\n\r\n");
        await().until(() -> client.socket().getInputStream().available() > 0);
        List<RawClient> idle = idleOnEachLoop();
        Thread drain = Thread.startVirtualThread(harness.node::drain);
        awaitDrain(idle);
        assertThat(client.read().body()).hasSizeGreaterThan(100 * value.length);
        assertThat(client.isClosed()).isTrue();
        client.close();
        drain.join();
        assertThat(harness.node.connections()).isZero();
    }

    @Test
    void idleConnectionsAreClosedWithoutAReset() throws Exception {
        RawClient client = harness.client();
        assertThat(client.exchange(get("k")).status()).isEqualTo(404);
        Thread drain = Thread.startVirtualThread(harness.node::drain);
        assertThat(client.isClosed()).isTrue();
        client.close();
        drain.join();
        assertThat(harness.node.connections()).isZero();
    }

    /// Its client neither closes nor sends anything.
    @Test
    void anIdleConnectionKeepsNoDrainWaiting() throws Exception {
        harness.close();
        HttpLimits patient = HttpLimits.defaults().with(l -> l.lingerTimeout = Duration.ofDays(1));
        harness = new NodeHarness(options -> options.with(o -> o.limits = patient));
        RawClient used = harness.client();
        assertThat(used.exchange(get("k")).status()).isEqualTo(404);
        RawClient fresh = harness.client();
        await().until(() -> harness.node.connections() == 2);
        harness.node.drain();
        assertThat(harness.node.connections()).isZero();
        assertThat(used.isClosed()).isTrue();
        assertThat(fresh.isClosed()).isTrue();
    }

    @Test
    void aStuckRequestDoesNotKeepTheNodeBeyondTheDrainTimeout() throws Exception {
        harness.close();
        harness = new NodeHarness(options -> options.with(o -> o.drainTimeout = Duration.ofMillis(200)));
        Gate gate = new Gate();
        harness.engine.blockReads(gate);
        RawClient client = harness.client().send(get("k"));
        await().until(() -> gate.waiting() == 1);
        harness.node.close();
        assertThatThrownBy(client::read).isInstanceOf(IOException.class);
        assertThat(gate.waiting()).as("never interrupted").isEqualTo(1);
    }

    @Test
    void drainAndCloseMayBeCalledAgain() {
        harness.node.drain();
        harness.node.drain();
        harness.node.close();
        harness.node.close();
        assertThat(refusesConnections()).isTrue();
    }

    /// Connections take the loops in turn.
    private List<RawClient> idleOnEachLoop() throws IOException {
        List<RawClient> idle = List.of(harness.client(), harness.client());
        for (RawClient client : idle) {
            assertThat(client.exchange(get("none")).status()).isEqualTo(404);
        }
        return idle;
    }

    /// Every loop knows of the drain: what is idle on it is closed.
    private void awaitDrain(List<RawClient> idle) throws IOException {
        for (RawClient client : idle) {
            assertThat(client.isClosed()).isTrue();
        }
        assertThat(refusesConnections()).isTrue();
    }

    private boolean refusesConnections() {
        try (RawClient probe = new RawClient(harness.node.port())) {
            return probe.socket().isClosed();
        } catch (IOException _) {
            return true;
        }
    }
}
