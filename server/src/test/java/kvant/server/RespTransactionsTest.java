package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import kvant.engine.EngineException;
import kvant.server.MemoryEngine.Gate;
import kvant.server.http.contract.HttpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `MULTI`, `WATCH` and commands of several keys: each is one moment, despite other writers of its keys.
class RespTransactionsTest {

    private static final int CLIENTS = 12;
    private static final int EACH = 60;
    private static final int KEYS = 4;
    private static final int START = 1000;

    private static NodeHarness node(ExecutorKind executor) {
        return new NodeHarness(options -> options.withExecutor(executor).with(o -> o.respPort = 0));
    }

    /// Half of them watch the keys that they read, the others count within the transaction, during plain updates.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void noTransferIsLost(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor);
                RespClient reader = new RespClient(harness.node.respPort());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            harness.engine.record(false);
            assertThat(reader.ask("MSET k0 1000 k1 1000 k2 1000 k3 1000")).isEqualTo("+OK");
            List<Callable<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int kind = i % 3;
                clients.add(() -> {
                    int added = 0;
                    try (RespClient client = new RespClient(harness.node.respPort())) {
                        for (int done = 0; done < EACH; ) {
                            boolean worked = kind == 0 ? watched(client) : kind == 1 ? counted(client) : plain(client);
                            done += worked ? 1 : 0;
                            added += worked && kind == 2 ? 1 : 0;
                        }
                    }
                    return added;
                });
            }
            List<Future<Integer>> running = new ArrayList<>();
            clients.forEach(client -> running.add(threads.submit(client)));
            int added = 0;
            for (Future<Integer> each : running) {
                added += each.get();
            }
            assertThat(sum(reader)).isEqualTo(KEYS * START + added);
        }
    }

    private static int sum(RespClient client) throws IOException {
        client.raw("MULTI\r\nMGET k0 k1\r\nMGET k2 k3\r\nEXEC\r\n");
        client.read();
        client.read();
        client.read();
        int sum = 0;
        for (String number : client.read().replaceAll("[^0-9,]", "").split(",")) {
            sum += Integer.parseInt(number);
        }
        return sum;
    }

    private static boolean watched(RespClient client) throws IOException {
        int from = ThreadLocalRandom.current().nextInt(KEYS);
        int to = (from + 1) % KEYS;
        assertThat(client.ask("WATCH k" + from + " k" + to)).isEqualTo("+OK");
        int left = Integer.parseInt(client.ask("GET k" + from).replace("\"", ""));
        int right = Integer.parseInt(client.ask("GET k" + to).replace("\"", ""));
        client.ask("MULTI");
        client.ask("SET k" + from + " " + (left - 3));
        client.ask("SET k" + to + " " + (right + 3));
        String reply = client.ask("EXEC");
        assertThat(reply).isIn("[+OK, +OK]", "nil");
        return !reply.equals("nil");
    }

    private static boolean counted(RespClient client) throws IOException {
        int from = ThreadLocalRandom.current().nextInt(KEYS);
        int to = (from + 1) % KEYS;
        client.raw("MULTI\r\nDECRBY k" + from + " 2\r\nINCRBY k" + to + " 2\r\nEXEC\r\n");
        client.read();
        client.read();
        client.read();
        String reply = client.read();
        assertThat(reply).matches("\\[:-?\\d+, :-?\\d+]|-TRYAGAIN .*");
        return reply.startsWith("[");
    }

    private static boolean plain(RespClient client) throws IOException {
        String reply = client.ask("INCR k" + ThreadLocalRandom.current().nextInt(KEYS));
        assertThat(reply).matches(":\\d+|-TRYAGAIN .*");
        return reply.startsWith(":");
    }

    /// Existence, absence, value and expiry alike.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aWatchedKeyThatChangedEndsTheTransaction(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            for (String change : List.of("SET there w", "DEL there", "SET missing v", "PEXPIRE there 100000")) {
                client.ask("DEL missing");
                client.ask("SET there v");
                assertThat(client.ask("WATCH missing there")).isEqualTo("+OK");
                assertThat(other.ask(change)).doesNotStartWith("-");
                assertThat(client.ask("MULTI")).isEqualTo("+OK");
                assertThat(client.ask("SET result x")).isEqualTo("+QUEUED");
                assertThat(client.ask("EXEC")).as(change).isEqualTo("nil");
                assertThat(client.ask("GET result")).isEqualTo("nil");
            }
        }
    }

    /// Absence has no version, and yet it is not the same absence.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void aWatchedKeyThatWasThereMeanwhileEndsTheTransaction(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = node(executor);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            for (boolean changes : new boolean[] {true, false}) {
                assertThat(client.ask("WATCH missing")).isEqualTo("+OK");
                if (changes) {
                    assertThat(other.ask("SET missing v")).isEqualTo("+OK");
                    assertThat(client.ask("GET missing")).isEqualTo("\"v\"");
                    assertThat(other.ask("DEL missing")).isEqualTo(":1");
                }
                assertThat(client.ask("MULTI")).isEqualTo("+OK");
                assertThat(client.ask("SET result x")).isEqualTo("+QUEUED");
                assertThat(client.ask("EXEC")).isEqualTo(changes ? "nil" : "[+OK]");
            }
        }
    }

    /// They were sent before it, and are applied after it.
    @Test
    void aKeyThatIsWatchedWhileItIsWrittenEndsTheTransaction() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            Gate gate = new Gate();
            harness.engine.blockCommits(gate);
            other.raw("SET missing v\r\nDEL missing\r\n");
            await().until(() -> gate.waiting() == 1);
            assertThat(client.ask("WATCH missing")).isEqualTo("+OK");
            harness.engine.blockCommits(null);
            gate.open();
            assertThat(other.read()).isEqualTo("+OK");
            assertThat(other.read()).isEqualTo(":1");
            Gate second = new Gate();
            harness.engine.blockCommits(second);
            other.raw("DEL missing\r\n"); // so that the key is being written at the EXEC, too
            await().until(() -> second.waiting() == 1);
            client.raw("MULTI\r\nSET result x\r\nEXEC\r\n");
            client.read();
            client.read();
            assertThat(client.read()).isEqualTo("nil");
            second.open();
        }
    }

    @Test
    void aWatchedKeyThatExpiredEndsTheTransaction() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("SET k v PX 300")).isEqualTo("+OK");
            assertThat(client.ask("WATCH k")).isEqualTo("+OK");
            await().until(() -> client.ask("PTTL k").equals(":-2"));
            assertThat(client.ask("MULTI")).isEqualTo("+OK");
            assertThat(client.ask("SET result x")).isEqualTo("+QUEUED");
            assertThat(client.ask("EXEC")).isEqualTo("nil");
            assertThat(client.ask("GET result")).isEqualTo("nil");
        }
    }

    /// The other writes between its read and its write.
    @Test
    void whatItReadIsStillSoWhenItWrites() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            Gate gate = new Gate();
            harness.engine.blockScans(gate);
            client.raw("MULTI\r\nINCR n\r\nGET m\r\nSET copy x\r\nEXEC\r\n");
            await().until(() -> gate.waiting() == 1);
            assertThat(other.ask("MSET n 7 m seen")).isEqualTo("+OK");
            harness.engine.blockScans(null);
            gate.open();
            for (int i = 0; i < 4; i++) {
                client.read();
            }
            assertThat(client.read()).isEqualTo("[:8, \"seen\", +OK]");
        }
    }

    /// A write that is committed between its read and its write makes it run again.
    @Test
    void aScriptIsWrittenOnlyIfNothingHasChanged() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort());
                RespClient other = new RespClient(harness.node.respPort())) {
            assertThat(client.ask("SET n 1")).isEqualTo("+OK");
            Gate commits = new Gate();
            harness.engine.blockCommits(commits);
            other.send("SET n 100");
            await().until(() -> commits.waiting() == 1);
            client.raw("EVAL \"return redis.call('INCRBY', KEYS[1], 5)\" 1 n\r\n");
            await().until(() ->
                    harness.engine.calls().stream().filter("put 6e"::equals).count() == 3);
            commits.open();
            assertThat(other.read()).isEqualTo("+OK");
            assertThat(client.read()).isEqualTo(":105");
            assertThat(client.ask("GET n")).isEqualTo("\"105\"");
        }
    }

    /// It is all in one batch, which is refused as a whole.
    @Test
    void nothingOfItIsWrittenWhereTheBatchFails() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            harness.engine.failWrites(new EngineException.StorageFull("the disk is full"));
            client.ask("MULTI");
            client.ask("SET a 1");
            client.ask("INCR b");
            assertThat(client.ask("EXEC")).startsWith("-OOM ");
            harness.engine.failWrites(null);
            assertThat(client.ask("MGET a b")).isEqualTo("[nil, nil]");
        }
    }

    @Test
    void aReadOnlyNodeReadsInATransactionAndWritesNothing() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            client.ask("SET a 1");
            harness.node.readOnly(true);
            client.ask("MULTI");
            client.ask("GET a");
            assertThat(client.ask("EXEC")).isEqualTo("[\"1\"]");
            client.ask("MULTI");
            client.ask("SET a 2");
            assertThat(client.ask("EXEC")).startsWith("-READONLY ");
            assertThat(client.ask("GET a")).isEqualTo("\"1\"");
        }
    }

    @Test
    void aTransactionHasABoundOnItsCommands() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            client.ask("MULTI");
            for (int i = 0; i < 10_000; i++) {
                assertThat(client.ask("SET k v")).isEqualTo("+QUEUED");
            }
            assertThat(client.ask("SET k v")).startsWith("-ERR transaction of more than 10000 commands");
            assertThat(client.ask("EXEC")).startsWith("-EXECABORT ");
            assertThat(client.ask("GET k")).isEqualTo("nil");
            String key = "k".repeat(60_000);
            for (int i = 0; i < 170; i++) {
                client.ask("WATCH " + key + i);
            }
            assertThat(harness.node.memory().bodies().claimedBytes()).isGreaterThan(170 * 60_000);
            assertThat(client.ask("UNWATCH")).isEqualTo("+OK");
            assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
        }
    }

    /// Queued commands are memory of their client, until it has gone.
    @Test
    void aTransactionHasABoundOnItsBytes() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> {
                    o.respPort = 0;
                    o.limits = HttpLimits.defaults().with(l -> l.maxBodyBytes = 1 << 20);
                }))) {
            String value = "v".repeat(200_000);
            try (RespClient client = new RespClient(harness.node.respPort())) {
                client.ask("MULTI");
                String reply = "";
                for (int i = 0; i < 6 && !reply.startsWith("-"); i++) {
                    reply = client.ask("SET k" + i + " " + value);
                }
                assertThat(reply).startsWith("-ERR transaction of more than 1048576 bytes");
                assertThat(client.ask("EXEC")).startsWith("-EXECABORT ");
                assertThat(client.ask("EXISTS k0")).isEqualTo(":0");
                client.ask("MULTI");
                client.ask("SET k0 " + value);
                assertThat(harness.node.memory().bodies().claimedBytes()).isGreaterThan(200_000);
            }
            await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        }
    }

    /// Small commands may make large values.
    @Test
    void whatATransactionMakesIsBounded() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE)
                .with(o -> {
                    o.respPort = 0;
                    o.limits = HttpLimits.defaults().with(l -> l.maxBodyBytes = 1 << 20);
                }))) {
            try (RespClient client = new RespClient(harness.node.respPort())) {
                client.ask("MULTI");
                for (int i = 0; i < 3; i++) {
                    assertThat(client.ask("SETRANGE k" + i + " 500000 x")).isEqualTo("+QUEUED");
                }
                assertThat(client.ask("EXEC")).startsWith("-ERR transaction with more than ");
                assertThat(client.ask("EXISTS k0 k1 k2")).isEqualTo(":0");
            }
        }
    }

    @Test
    void commandsOfSeveralKeysAreOneMoment() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            client.ask("SET token0 t");
            List<Callable<Integer>> movers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                movers.add(() -> {
                    int moved = 0;
                    try (RespClient mine = new RespClient(harness.node.respPort())) {
                        for (int n = 0; n < 50; n++) {
                            moved += mine.ask("RENAME token" + n % 3 + " token" + (n + 1) % 3)
                                            .equals("+OK")
                                    ? 1
                                    : 0;
                            moved +=
                                    mine.ask("MSETNX a" + n + " 1 b" + n + " 1").equals(":1") ? 1000 : 0;
                        }
                    }
                    return moved;
                });
            }
            int made = 0;
            for (Future<Integer> each : threads.invokeAll(movers)) {
                made += each.get() / 1000;
            }
            assertThat(made).as("each pair has one maker").isEqualTo(50);
            assertThat(client.ask("EXISTS token0 token1 token2")).isEqualTo(":1");
        }
    }

    /// A cluster judges one key at a time.
    @Test
    void withAClusterATransactionIsOfOneKey() throws Exception {
        try (LaterStore store = new LaterStore();
                Node node = Node.start(
                        NodeOptions.defaults()
                                .withExecutor(ExecutorKind.ADAPTIVE)
                                .with(o -> {
                                    o.port = 0;
                                    o.respPort = 0;
                                }),
                        store);
                RespClient client = new RespClient(node.respPort())) {
            client.raw("SET n 1\r\nMULTI\r\nINCR n\r\nINCR n\r\nEXEC\r\nMULTI\r\nINCR n\r\nINCR m\r\nEXEC\r\n");
            List<String> replies = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                replies.add(client.read());
            }
            assertThat(replies.get(4)).isEqualTo("[:2, :3]");
            assertThat(replies.get(8)).startsWith("-ERR several keys cannot be changed as one with a cluster");
            assertThat(client.ask("MGET n m")).isEqualTo("[\"3\", nil]");
            assertThat(client.ask("WATCH n m")).startsWith("-ERR several keys ");
            client.ask("MULTI");
            client.ask("SET n 9");
            assertThat(client.ask("EXEC")).startsWith("-ERR several keys ");
            client.raw("MULTI\r\nSET x 1\r\nSET y 2\r\nEXEC\r\n");
            for (int i = 0; i < 3; i++) {
                client.read();
            }
            assertThat(client.read()).as("no key is read").isEqualTo("[+OK, +OK]");
        }
    }

    /// Those that go through all keys take several steps.
    @Test
    void allKeysAreListedCountedAndRemoved() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            harness.engine.record(false);
            assertThat(client.ask("RANDOMKEY")).isEqualTo("nil");
            assertThat(client.ask("DBSIZE")).isEqualTo(":0");
            assertThat(client.ask("FLUSHALL")).isEqualTo("+OK");
            for (int i = 0; i < 1234; i++) {
                harness.engine.load(("key" + (1000 + i)).getBytes(StandardCharsets.US_ASCII), new byte[] {'v'});
            }
            assertThat(client.ask("DBSIZE")).isEqualTo(":1234");
            assertThat(client.ask("RANDOMKEY")).startsWith("\"key");
            assertThat(client.ask("KEYS *").split(",")).hasSize(1234).doesNotHaveDuplicates();
            assertThat(client.ask("KEYS key20[01]?").split(",")).hasSize(20);
            assertThat(client.ask("KEYS z*")).isEqualTo("[]");
            assertThat(client.ask("FLUSHDB ASYNC")).isEqualTo("+OK");
            assertThat(client.ask("DBSIZE")).isEqualTo(":0");
            for (int i = 0; i < 12_000; i++) {
                harness.engine.load(("key" + i).getBytes(StandardCharsets.US_ASCII), new byte[] {'v'});
            }
            assertThat(client.ask("DBSIZE"))
                    .as("an estimate of the engine")
                    .startsWith("-ERR this engine does not know");
        }
    }
}
