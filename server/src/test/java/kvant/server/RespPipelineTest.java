package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many commands at once on one connection: their order, what they share, and what they may make the node hold.
class RespPipelineTest {

    private static final int MILLION = 1_000_000;

    private static NodeHarness node(ExecutorKind executor) {
        return node(executor, HttpLimits.defaults());
    }

    private static NodeHarness node(ExecutorKind executor, HttpLimits limits) {
        return new NodeHarness(options -> options.withExecutor(executor).with(o -> {
            o.respPort = 0;
            o.limits = limits;
        }));
    }

    private static byte[] commands(String... lines) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String line : lines) {
            all.writeBytes(RespClient.command(line));
        }
        return all.toByteArray();
    }

    /// A client sends all of it before it reads a reply.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aTransactionIsAppliedAsOne(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient gone = new RespClient(harness.node.respPort())) {
            long commits = harness.engine.commits();
            client.raw(commands(
                    "WATCH a n", "MULTI", "SET a 1", "INCR n", "MSET b 1 c 2", "DEL a b", "EXEC", "GET a", "INCR n"));
            assertThat(client.read()).isEqualTo("+OK");
            assertThat(client.read()).isEqualTo("+OK");
            for (int i = 0; i < 4; i++) {
                assertThat(client.read()).isEqualTo("+QUEUED");
            }
            assertThat(client.read()).isEqualTo("[+OK, :1, +OK, :2]");
            assertThat(client.read()).isEqualTo("nil");
            assertThat(client.read()).isEqualTo(":2");
            assertThat(harness.engine.commits() - commits).isEqualTo(2);
            gone.raw(commands("MULTI", "SET a 1", "QUIT", "SET a 1"));
            assertThat(gone.read()).isEqualTo("+OK");
            assertThat(gone.read()).isEqualTo("+QUEUED");
            assertThat(gone.read()).isEqualTo("+OK");
            assertThat(gone.isClosed()).isTrue();
            assertThat(client.ask("MGET a b c n")).isEqualTo("[nil, nil, \"2\", \"2\"]");
        }
    }

    /// As a client does that sends all of it before it reads: neither waits for the other.
    @Test
    void aLongPipelineIsReadWhileItsRepliesWait() throws Exception {
        int count = 200_000;
        byte[] value = "v".repeat(100).getBytes(StandardCharsets.US_ASCII);
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort(), 64 << 10)) {
            harness.engine.record(false);
            String key = "k".repeat(200); // more than the kernels of both sides hold
            harness.engine.load(key.getBytes(StandardCharsets.US_ASCII), value);
            byte[] get = RespClient.command("GET " + key);
            ByteBuffer all = ByteBuffer.allocate(count * get.length + 14);
            for (int i = 0; i < count; i++) {
                all.put(get);
            }
            client.raw(all.put("*1\r\n$4\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII))
                    .array());
            await().atMost(Duration.ofMinutes(1)) // all are carried out before it reads a byte
                    .until(() -> harness.figure("kvant_resp_commands_total{result=\"ok\"}") > count);
            String expected = '"' + new String(value, StandardCharsets.US_ASCII) + '"';
            for (int i = 0; i < count; i++) {
                assertThat(client.read()).isEqualTo(expected);
            }
            assertThat(client.read()).isEqualTo("+OK");
            assertThat(client.isClosed()).isTrue();
            await().until(() -> harness.figure("kvant_client_memory_bytes{kind=\"waiting\"}") == 0);
        }
    }

    /// As if each were answered before the next one is looked at.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aPipelineTakesEffectInItsOrder(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor);
                RespClient client = new RespClient(harness.node.respPort())) {
            for (int round = 0; round < 20; round++) {
                client.raw(commands(
                        "SET n 1",
                        "INCR n",
                        "GET n",
                        "SET n 10",
                        "INCRBY n 5",
                        "INCR n",
                        "MGET n none n",
                        "DEL n m",
                        "GET n",
                        "PING",
                        "MSET n 3 m 4",
                        "EXISTS n m",
                        "SET n 7 GET",
                        "EXPIRE m -1",
                        "MGET n m",
                        "DEL n",
                        "INCR n"));
                for (String expected : new String[] {
                    "+OK",
                    ":2",
                    "\"2\"",
                    "+OK",
                    ":15",
                    ":16",
                    "[\"16\", nil, \"16\"]",
                    ":1",
                    "nil",
                    "+PONG",
                    "+OK",
                    ":2",
                    "\"3\"",
                    ":1",
                    "[\"7\", nil]",
                    ":1",
                    ":1"
                }) {
                    assertThat(client.read()).as("round " + round).isEqualTo(expected);
                }
                client.ask("DEL n");
            }
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0
                    && harness.node.memory().answers().claimedBytes() == 0);
        }
    }

    @Test
    void writesOfOnePipelineShareACommit() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            Gate gate = new Gate();
            harness.engine.blockCommits(gate);
            client.send("SET first 1");
            await().until(() -> gate.waiting() == 1);
            long groups = harness.engine.groups();
            for (int i = 0; i < 30; i++) {
                client.send("SET k" + i + " v");
            }
            await().until(() -> harness.engine.calls().size() == 31);
            gate.open();
            for (int i = 0; i < 31; i++) {
                assertThat(client.read()).isEqualTo("+OK");
            }
            assertThat(harness.engine.groups() - groups)
                    .as("30 writes behind one")
                    .isLessThanOrEqualTo(2);
        }
    }

    /// Without the account of every use of a buffer, which takes most of its time.
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a busy machine
    void aPipelineOfAMillionCommandsIsAnsweredWithinItsBounds() throws Exception {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            client.ask("SET k v");
            byte[] thousand = commands("GET k").clone();
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            for (int i = 0; i < 1000; i++) {
                block.writeBytes(thousand);
            }
            harness.engine.record(false);
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(client, block.toByteArray()));
            String reply = "$1\r\nv\r\n";
            byte[] expected = reply.repeat(1000).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < MILLION / 1000; i++) {
                assertThat(client.readFully(expected.length)).isEqualTo(expected);
            }
            sent.join();
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    private static void send(RespClient client, byte[] block) {
        try {
            OutputStream out = client.socket().getOutputStream();
            for (int i = 0; i < MILLION / 1000; i++) {
                out.write(block);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Its further commands wait in the kernel; others are answered meanwhile, and it is closed when its time is over.
    @Test
    void whoReadsNoRepliesIsNotReadFromAndGoes() throws Exception {
        HttpLimits limits = HttpLimits.defaults().with(l -> l.stallTimeout = Duration.ofSeconds(2));
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE, limits);
                RespClient slow = new RespClient(harness.node.respPort(), 4096);
                RespClient other = new RespClient(harness.node.respPort())) {
            byte[] value = new byte[1 << 20];
            assertThat(other.ask(NodeHarness.bytes("SET"), NodeHarness.bytes("k"), value))
                    .isEqualTo("+OK");
            harness.engine.forgetCalls();
            slow.raw(commands("GET k").clone());
            for (int i = 0; i < 2000; i++) {
                slow.raw(commands("GET k"));
            }
            await().until(() -> harness.node.memory().answers().claimedBytes() > 0);
            assertThat(other.ask("PING")).isEqualTo("+PONG");
            assertThat(harness.engine.calls().size())
                    .as("no more than may be unanswered")
                    .isLessThanOrEqualTo(70);
            await().atMost(Duration.ofSeconds(30)).until(() -> harness.node.connections() == 1);
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0);
            assertThat(other.ask("STRLEN k")).isEqualTo(":" + value.length);
        }
    }

    /// Its commands are answered, and then the connection ends.
    @Test
    void whoEndsItsInputGetsItsReplies() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            client.raw(commands("SET k v", "INCR n", "MGET k n"));
            client.socket().shutdownOutput();
            assertThat(client.read()).isEqualTo("+OK");
            assertThat(client.read()).isEqualTo(":1");
            assertThat(client.read()).isEqualTo("[\"v\", \"1\"]");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void whoGoesInTheMiddleLeavesNothingBehind() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE)) {
            harness.engine.load(NodeHarness.bytes("k"), new byte[100_000]);
            for (String line : new String[] {"SET a b", "INCR n", "DEL a b c", "SET k x GET"}) {
                Gate commits = new Gate();
                harness.engine.blockCommits(commits);
                RespClient client = new RespClient(harness.node.respPort());
                client.send(line);
                await(line).until(() -> commits.waiting() > 0);
                client.socket().setSoLinger(true, 0); // a reset: who ends its input alone gets its replies
                client.close();
                await().until(() -> harness.node.connections() == 0);
                commits.open();
                harness.engine.blockCommits(null);
            }
            for (String line : new String[] {"GET k", "MGET k k k", "EXISTS k a"}) {
                Gate reads = new Gate();
                harness.engine.blockReads(reads);
                RespClient client = new RespClient(harness.node.respPort());
                client.send(line);
                await(line).until(() -> reads.waiting() > 0);
                client.socket().setSoLinger(true, 0);
                client.close();
                await().until(() -> harness.node.connections() == 0);
                reads.open();
                harness.engine.blockReads(null);
            }
            await().until(() -> harness.node.memory().answers().claimedBytes() == 0
                    && harness.node.memory().bodies().claimedBytes() == 0
                    && harness.node.openScans() == 0);
            try (RespClient client = new RespClient(harness.node.respPort())) {
                assertThat(client.ask("INCR n")).as("its line has ended").startsWith(":");
            }
        }
    }

    @Test
    void acceptedCommandsAreAnsweredWhenTheNodeDrains() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient busy = new RespClient(harness.node.respPort());
                RespClient half = new RespClient(harness.node.respPort());
                RespClient idle = new RespClient(harness.node.respPort())) {
            assertThat(idle.ask("PING")).isEqualTo("+PONG");
            Gate gate = new Gate();
            harness.engine.blockCommits(gate);
            busy.raw(commands("SET a 1", "SET b 2", "INCR b"));
            await().until(() -> gate.waiting() == 1);
            half.raw(new String(commands("PING", "SET c 3"), StandardCharsets.US_ASCII) + "*2\r\n$3\r\nGET\r\n$1");
            assertThat(half.read()).isEqualTo("+PONG"); // the rest came with it
            Thread drain = Thread.startVirtualThread(harness.node::drain);
            assertThat(idle.isClosed()).isTrue();
            gate.open();
            assertThat(half.read()).isEqualTo("+OK");
            half.raw("\r\na\r\n");
            assertThat(busy.read()).isEqualTo("+OK");
            assertThat(busy.read()).isEqualTo("+OK");
            assertThat(busy.read()).isEqualTo(":3");
            assertThat(busy.isClosed()).isTrue();
            assertThat(half.read()).isIn("\"1\"", "nil");
            assertThat(half.isClosed()).isTrue();
            busy.socket().close();
            half.socket().close();
            idle.socket().close();
            drain.join();
            assertThat(harness.node.connections()).isZero();
        }
    }
}
