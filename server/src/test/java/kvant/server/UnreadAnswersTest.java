package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A client that asks for a long value, does not read it, and sends more behind it: what the node keeps meanwhile.
class UnreadAnswersTest {

    private static final int LONG = 4_000_000;
    private static final int SMALL_BUFFER = 4 << 10;
    private static final String BUSY = "-TRYAGAIN the node has as much work as it may hold; nothing was executed";

    private static NodeHarness node(Consumer<HttpLimits.Draft> change) {
        HttpLimits limits = HttpLimits.defaults().with(change);
        NodeHarness harness = new NodeHarness(
                options -> options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> {
                    o.respPort = 0;
                    o.limits = limits;
                }));
        harness.engine.load(bytes("long"), new byte[LONG]);
        return harness;
    }

    private static NodeHarness node() {
        return node(_ -> {});
    }

    /// One whose answers from now on wait behind a value that it does not read.
    private static RespClient unread(NodeHarness harness) throws IOException {
        return new RespClient(harness.node.respPort(), SMALL_BUFFER).send("GET long");
    }

    /// A stored value is referenced by the engine alone.
    @ParameterizedTest
    @ValueSource(strings = {"SET a VALUE", "SET a VALUE KEEPTTL", "MSET a VALUE b VALUE"})
    void aValueThatIsStoredIsNotKeptForAReply(String command) throws Exception {
        try (NodeHarness harness = node();
                RespClient client = unread(harness)) {
            assertThatValuesGo(
                    harness,
                    () -> client.send(command.replace("VALUE", "v".repeat(100_000))),
                    () -> client.send("MSET a 1 b 2"));
        }
    }

    @Test
    void aBodyIsNotKeptForAnAnswer() throws Exception {
        try (NodeHarness harness = node()) {
            RawClient client = harness.client(SMALL_BUFFER).send(get("long"));
            assertThatValuesGo(
                    harness, () -> client.send(put("a", "v".repeat(100_000))), () -> client.send(put("a", "1")));
        }
    }

    private static void assertThatValuesGo(NodeHarness harness, Callable<?> store, Callable<?> replace)
            throws Exception {
        store.call();
        await().until(() -> harness.engine.stored(bytes("a")) != null);
        WeakReference<byte[]> value = new WeakReference<>(harness.engine.stored(bytes("a")));
        replace.call();
        await().until(() -> {
            System.gc();
            return value.refersTo(null);
        });
        assertThat(Objects.requireNonNull(harness.engine.stored(bytes("a")))).hasSize(1);
    }

    /// Nor are the keys of a command of many, or what was asked for each of them.
    @Test
    void keysAreNotKeptForAReply() throws Exception {
        try (NodeHarness harness = node();
                RespClient client = unread(harness)) {
            await().until(() -> harness.node.memory().answers().claimedBytes() >= LONG);
            harness.engine.record(true);
            StringBuilder command = new StringBuilder("MGET");
            for (int i = 0; i < 5_000; i++) {
                command.append(" k").append(i);
            }
            client.send(command.toString());
            await().until(() -> harness.engine.calls().size() >= 5_000);
            await().until(() -> {
                System.gc();
                return harness.engine.keysHeld() < 100; // those of the last calls, which threads may hold
            });
            assertThat(harness.node.memory().answers().claimedBytes())
                    .as("the array of the reply is claimed")
                    .isGreaterThanOrEqualTo(LONG + 5_000 * 8L);
            client.read();
            client.read();
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    /// A number takes nothing, of however many keys it tells.
    @Test
    void aReplyThatIsNoArrayHoldsNoClaim() throws Exception {
        try (NodeHarness harness = node();
                RespClient client = unread(harness)) {
            await().until(() -> harness.node.memory().answers().claimedBytes() >= LONG);
            client.send("EXISTS" + " key".repeat(3_000)).send("SET end 1");
            await().until(() -> harness.engine.stored(bytes("end")) != null);
            assertThat(harness.node.memory().answers().claimedBytes()).isEqualTo(LONG);
        }
    }

    /// A prefix that no key can have needs no scan, which would keep it.
    @Test
    void aPatternThatNoKeyCanMatchIsNotKept() throws Exception {
        try (NodeHarness harness = node();
                RespClient client = new RespClient(harness.node.respPort())) {
            harness.engine.record(true);
            assertThat(client.ask("SCAN 0 MATCH " + "p".repeat(65_537) + "*")).isEqualTo("[\"0\", []]");
            assertThat(harness.engine.calls()).isEmpty();
            assertThat(client.ask("SCAN 0 MATCH " + "p".repeat(65_536) + "*")).isEqualTo("[\"0\", []]");
            assertThat(harness.engine.calls()).hasSize(1);
        }
    }

    @Test
    void repliesThatNeedNoStoreAreClaimedAsAnswersAre() throws Exception {
        try (NodeHarness harness = node();
                RespClient client = unread(harness)) {
            for (int i = 0; i < 50; i++) {
                client.send("ECHO " + "e".repeat(4_000));
            }
            await().until(() -> harness.node.memory().answers().claimedBytes() >= LONG + 50 * 4_000L);
            for (int i = 0; i < 51; i++) {
                assertThat(client.read()).startsWith("\"");
            }
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    @Test
    void aReplyWithoutMemoryIsRefused() throws Exception {
        try (NodeHarness harness = node(l -> l.maxAnswerBytes = 64 << 10);
                RespClient client = unread(harness)) {
            await().until(() -> harness.node.memory().answers().claimedBytes() >= LONG);
            for (int i = 0; i < 40; i++) {
                client.send("ECHO " + "e".repeat(4_000));
            }
            client.send("PING");
            client.read();
            int refused = 0;
            for (int i = 0; i < 40; i++) {
                refused += client.read().equals(BUSY) ? 1 : 0;
            }
            assertThat(refused).isBetween(10, 39);
            assertThat(client.read()).isEqualTo("+PONG");
        }
    }

    @Test
    void longRepliesCountAmongTheRequestsInFlight() throws Exception {
        try (NodeHarness harness = node(l -> l.maxInFlight = 2);
                RespClient client = unread(harness)) {
            client.send("ECHO " + "e".repeat(500)).send("PING");
            client.read();
            assertThat(client.read()).isEqualTo(BUSY);
            assertThat(client.read()).isEqualTo("+PONG");
            assertThat(client.ask("ECHO " + "e".repeat(500))).startsWith("\"eee");
        }
    }
}
