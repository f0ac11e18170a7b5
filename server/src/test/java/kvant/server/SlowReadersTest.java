package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that make the node hold answers, and what others get meanwhile.
class SlowReadersTest {

    private static final int BUDGET_BYTES = 4 << 20;

    /// So that the kernel holds little for a client that does not read.
    private static final int RECEIVE_BUFFER = 4096;

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String LARGE = "large";
    private static final String SCAN = "GET /v0/entities?start=r&end=s HTTP/1.1\r\nHost: h\r\n\r\n";

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aValueAsLongAsTheBudgetThatIsReadSlowlyLeavesOthersTheirAnswers(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor)) {
            RawClient slow = holdsLarge(harness);
            RawClient other = harness.client();
            for (int length : new int[] {1, 1025, 64 << 10, 100_000, 1_500_000}) {
                String key = "v" + length;
                harness.engine.load(bytes(key), new byte[length]);
                assertThat(other.exchange(get(key)).body()).as(key).hasSize(length);
            }
            RawClient.Answer range = other.exchange(SCAN);
            assertThat(range.status()).isEqualTo(200);
            assertThat(range.body()).hasSize(200 * (4 + 1 + 1000));
            assertThat(slow.readFully(BUDGET_BYTES))
                    .as("nor does it lose its own")
                    .hasSize(BUDGET_BYTES);
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void whoDoesNotWantTheValueNeedsNoMemoryForIt(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor)) {
            RawClient slow = holdsLarge(harness);
            harness.engine.forgetCalls();
            RawClient other = harness.client();
            RawClient.Answer head = other.exchange("HEAD /v0/entity?id=large HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Length")).isEqualTo("" + BUDGET_BYTES);
            String tag = head.header("ETag");
            assertThat(conditional(other, "If-None-Match: " + tag)).isEqualTo(304);
            assertThat(conditional(other, "If-None-Match: *")).isEqualTo(304);
            assertThat(conditional(other, "If-Match: \"77\"")).isEqualTo(412);
            assertThat(harness.engine.calls())
                    .hasSize(4)
                    .containsOnly("look " + HexFormat.of().formatHex(bytes(LARGE)));
            assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(BUDGET_BYTES);
            assertThat(slow.readFully(BUDGET_BYTES)).hasSize(BUDGET_BYTES);
            assertThat(conditional(harness.client(), "If-None-Match: \"77\"")).isEqualTo(200);
        }
    }

    /// The first one is slow when the node has looked at it a few times.
    @Test
    void aSlowReaderGoesWhenAnotherNeedsItsMemory() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            RawClient slow = holdsLarge(harness);
            RawClient other = harness.client();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> other.exchange(get(LARGE)).status() == 200);
            assertIsReset(slow);
            assertThat(harness.figure("kvant_client_memory_shed_total{kind=\"longest_answer\"}"))
                    .isEqualTo(1);
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    @Test
    void whoTakesNothingOfAnAnswerIsClosed() throws Exception {
        HttpLimits limits = limits().with(l -> l.stallTimeout = Duration.ofMillis(300));
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.limits = limits))) {
            harness.engine.load(bytes(LARGE), new byte[BUDGET_BYTES]);
            RawClient slow = harness.client(RECEIVE_BUFFER).send(get(LARGE));
            assertThat(slow.readHead()).contains(" 200 ");
            await().until(() -> harness.node.connections() == 0);
            assertIsReset(slow);
            assertThat(harness.figure("kvant_slow_readers_total")).isEqualTo(1);
            assertThat(harness.node.memory().answers().claimedBytes()).isZero();
        }
    }

    /// Data in the kernel's buffers would look as if the client had taken it: a client that takes a little now and then
    /// would seem to take nothing for as long as the kernel's part lasts.
    @ParameterizedTest
    @EnumSource(
            value = TransportKind.class,
            names = {"AUTO", "EPOLL", "NIO"})
    void theKernelDoesNotTakeWhatTheClientDoesNot(TransportKind transport) throws Exception {
        int length = 2_200_000;
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> {
            o.limits = limits();
            o.transport = transport;
            o.eventLoops = 1;
        }))) {
            harness.engine.load(bytes(LARGE), new byte[length]);
            RawClient slow = harness.client(RECEIVE_BUFFER).send(get(LARGE));
            assertThat(slow.readHead()).contains(" 200 ");
            RawClient other = harness.client();
            for (int i = 0; i < 200; i++) { // the loop comes to both again and again
                assertThat(other.exchange(get("none")).status()).isEqualTo(404);
            }
            assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(length);
            assertThat(slow.readFully(length)).hasSize(length);
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    private static NodeHarness node(ExecutorKind executor) {
        NodeHarness harness =
                new NodeHarness(options -> options.withExecutor(executor).with(o -> o.limits = limits()));
        harness.engine.load(bytes(LARGE), new byte[BUDGET_BYTES]);
        for (int i = 0; i < 200; i++) {
            harness.engine.load(bytes("r%03d".formatted(i)), new byte[1000]);
        }
        return harness;
    }

    private static HttpLimits limits() {
        return HttpLimits.defaults().with(l -> {
            l.maxAnswerBytes = BUDGET_BYTES;
            l.stallTimeout = LONG;
        });
    }

    private static RawClient holdsLarge(NodeHarness harness) throws IOException {
        RawClient slow = harness.client(RECEIVE_BUFFER).send(get(LARGE));
        assertThat(slow.readHead()).contains(" 200 ");
        assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(BUDGET_BYTES);
        return slow;
    }

    private static void assertIsReset(RawClient client) {
        assertThatThrownBy(client::readToEnd)
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    private static int conditional(RawClient client, String condition) throws IOException {
        return client.exchange("GET /v0/entity?id=large HTTP/1.1\r\nHost: h\r\n" + condition + "\r\n\r\n")
                .status();
    }
}
