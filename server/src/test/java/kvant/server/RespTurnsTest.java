package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A command of thousands of keys versus other connections of its loop.
@Timeout(60)
class RespTurnsTest {

    private static final int KEYS = 20_000;

    /// Reads run on the one loop, so that a gate holds it.
    private static NodeHarness node() {
        return new NodeHarness(
                options -> options.withExecutor(ExecutorKind.SYNC).with(o -> {
                    o.respPort = 0;
                    o.eventLoops = 1;
                }));
    }

    private static String mget() {
        return "MGET" + " k".repeat(KEYS);
    }

    private static String noted(String key) {
        return "get " + String.format("%02x", (int) key.charAt(0));
    }

    @Test
    void othersGetTheirTurnsWhileThousandsOfKeysAreRead() throws Exception {
        try (NodeHarness harness = node();
                RespClient many = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            harness.engine.load("k".getBytes(StandardCharsets.US_ASCII), "v".getBytes(StandardCharsets.US_ASCII));
            assertThat(other.ask("PING")).isEqualTo("+PONG");
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            many.send(mget()).send("ECHO behind");
            await().until(() -> gate.waiting() == 1);
            other.send("GET o");
            harness.engine.blockReads(null);
            gate.open();
            assertThat(other.read()).isEqualTo("nil");
            assertThat(many.read()).isEqualTo("[" + "\"v\", ".repeat(KEYS - 1) + "\"v\"]");
            assertThat(many.read()).isEqualTo("\"behind\"");
            List<String> calls = harness.engine.calls();
            assertThat(calls.indexOf(noted("o"))).isBetween(1, KEYS / 2);
            assertThat(calls.lastIndexOf(noted("k"))).isEqualTo(KEYS);
        }
    }

    @Test
    void theRestIsNotReadForWhoHasGone() throws Exception {
        try (NodeHarness harness = node();
                RespClient other = new RespClient(harness.node.respPort())) {
            assertThat(other.ask("PING")).isEqualTo("+PONG");
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RespClient many = new RespClient(harness.node.respPort());
            many.send(mget());
            await().until(() -> gate.waiting() == 1);
            many.socket().setSoLinger(true, 0);
            many.close();
            harness.engine.blockReads(null);
            gate.open();
            await().until(() -> harness.node.connections() == 1);
            for (int i = 0; i < 1000; i++) { // each is a turn for a waiting command
                assertThat(other.ask("GET o")).isEqualTo("nil");
            }
            assertThat(harness.engine.calls()).hasSizeLessThan(KEYS);
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }
}
