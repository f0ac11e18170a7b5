package kvant.server;

import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Locale;
import kvant.server.http.Transport;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Starting a node, or saying in one line why not.
class NodeTest {

    @Test
    void aPortInUseIsOneClearLine() throws Exception {
        try (NodeHarness first = NodeHarness.async();
                MemoryEngine engine = new MemoryEngine()) {
            NodeOptions taken = NodeOptions.defaults().with(o -> o.port = first.node.port());
            assertThatThrownBy(() -> Node.start(taken, engine))
                    .isInstanceOf(StartException.class)
                    .hasMessage("port " + first.node.port()
                            + " on 127.0.0.1 is in use: stop the process that listens there, or choose another port");
        }
    }

    /// One range and one get, and nothing is written: the first clients do not wait for classes.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aNodeThatListensHasReadFromItsEngine(ExecutorKind executor) throws Exception {
        try (MemoryEngine engine = new MemoryEngine()) {
            engine.load(NodeHarness.bytes("k"), NodeHarness.bytes("v"));
            try (Node node =
                    Node.start(NodeOptions.defaults().withExecutor(executor).with(o -> o.port = 0), engine)) {
                assertThat(engine.calls())
                        .filteredOn(call -> !call.startsWith("health")) // which the page of the status asks for
                        .containsExactly("scan 00", "get 00");
                assertThat(node.openScans()).isZero();
                assertThat(node.memory().answers().claimedBytes()).isZero();
            }
            engine.forgetCalls();
            engine.failScans(0, new IllegalStateException("planted"));
            engine.failReads(new IllegalStateException("planted"));
            try (Node node =
                    Node.start(NodeOptions.defaults().withExecutor(executor).with(o -> o.port = 0), engine)) {
                assertThat(node.openScans()).isZero();
            }
        }
    }

    @Test
    void anUnknownHostAndAForeignAddressAreOneClearLine() {
        try (MemoryEngine engine = new MemoryEngine()) {
            assertThatThrownBy(
                            () -> Node.start(NodeOptions.defaults().with(o -> o.host = "no.such.host.invalid"), engine))
                    .isInstanceOf(StartException.class)
                    .hasMessage("unknown host no.such.host.invalid");
            assertThatThrownBy(() -> Node.start(NodeOptions.defaults().with(o -> o.host = "192.0.2.1"), engine))
                    .isInstanceOf(StartException.class)
                    .hasMessage("cannot listen on 192.0.2.1:8080: this machine has no such address");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = TransportKind.class,
            names = {"EPOLL", "NIO", "IO_URING"})
    void everyTransportServesOrSaysWhyItCannot(TransportKind kind) throws Exception {
        String obstacle = Transport.valueOf(kind.name()).obstacle();
        if (obstacle != null) {
            try (MemoryEngine engine = new MemoryEngine()) {
                assertThatThrownBy(() -> Node.start(NodeOptions.defaults().with(o -> o.transport = kind), engine))
                        .isInstanceOf(StartException.class)
                        .hasMessageContaining("is not available on this machine");
            }
        }
        assumeTrue(obstacle == null, () -> "not run here: " + obstacle);
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.transport = kind))) {
            RawClient client = harness.client();
            assertThat(client.exchange("GET /v0/status HTTP/1.1\r\nHost: h\r\n\r\n")
                            .text())
                    .contains("\"transport\":\"" + kind.name().toLowerCase(Locale.ROOT) + "\"");
            assertThat(client.exchange(put("k", "x".repeat(1_000_000))).status())
                    .isEqualTo(201);
            assertThat(client.exchange(get("k")).body()).hasSize(1_000_000);
            assertThat(client.send(get("k") + "BAD\r\n").read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(400);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void theUrlHoldsTheRealPort() throws Exception {
        try (NodeHarness harness = NodeHarness.sync()) {
            assertThat(harness.node.url()).isEqualTo("http://127.0.0.1:" + harness.node.port());
            assertThat(harness.node.port()).isPositive();
        }
    }

    @Test
    void optionsAreCheckedWithOneLine() {
        NodeOptions options = NodeOptions.defaults();
        assertThat(options.pool().queue()).isEqualTo(1024);
        assertThatThrownBy(() -> options.with(o -> o.port = 65_536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the port is 0 to 65535, not 65536");
        assertThatThrownBy(() -> options.withWorkers(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.withQueue(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.with(o -> o.eventLoops = 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.with(o -> o.host = " ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options.with(o -> o.drainTimeout = Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closingANodeEndsItsThreads() throws Exception {
        NodeHarness harness = NodeHarness.async();
        harness.client().exchange(get("k"));
        harness.close();
        // A loop says that it has ended with the last instructions of its thread.
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("kvant-worker") || name.startsWith("kvant-loop")));
    }

    @Test
    void slowAndIdleClientsAreCutOff() throws Exception {
        HttpLimits hasty = NodeHarness.hasty(
                Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(400), Duration.ofMillis(200));
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.limits = hasty))) {
            RawClient slowHead = harness.client().send("GET /v0/entity?id=k HT");
            assertThat(slowHead.read().status()).isEqualTo(408);
            assertThat(slowHead.isClosed()).isTrue();
            RawClient slowBody =
                    harness.client().send("PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nva");
            assertThat(slowBody.read().status()).isEqualTo(408);
            assertThat(slowBody.isClosed()).isTrue();
            RawClient idle = harness.client();
            assertThat(idle.isClosed()).as("idle from the start").isTrue();
            RawClient once = harness.client();
            assertThat(once.exchange(get("k")).status()).isEqualTo(404);
            assertThat(once.isClosed()).isTrue();
        }
    }
}
