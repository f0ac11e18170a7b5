package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import kvant.engine.EngineException;
import kvant.server.MemoryEngine.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Changes that depend on the current value: none is lost, despite other writers of the key.
class RespUpdatesTest {

    private static final int CLIENTS = 16;
    private static final int EACH = 100;

    private static NodeHarness node(ExecutorKind executor) {
        return new NodeHarness(options -> options.withExecutor(executor).with(o -> o.respPort = 0));
    }

    /// On all event loops at once; each client gets a number of its own.
    @ParameterizedTest
    @EnumSource(ExecutorKind.class)
    void noIncrementIsLostOrTheSameAsAnother(ExecutorKind executor) throws Exception {
        Set<String> numbers = ConcurrentHashMap.newKeySet();
        try (NodeHarness harness = node(executor);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            harness.engine.record(false);
            List<Callable<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(() -> {
                    try (RespClient client = new RespClient(harness.node.respPort())) {
                        for (int n = 0; n < EACH; n++) {
                            String reply = client.ask("INCR n");
                            assertThat(reply).startsWith(":");
                            assertThat(numbers.add(reply)).as(reply).isTrue();
                        }
                    }
                    return null;
                });
            }
            for (Future<Void> each : threads.invokeAll(clients)) {
                each.get();
            }
            try (RespClient client = new RespClient(harness.node.respPort())) {
                assertThat(client.ask("GET n")).isEqualTo("\"" + CLIENTS * EACH + "\"");
            }
        }
    }

    /// Each value has one taker, and each key one that was first.
    @Test
    void aValueIsTakenOnceAndPutOnce() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            harness.engine.record(false);
            List<Callable<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String mine = "client" + i;
                clients.add(() -> {
                    int done = 0;
                    try (RespClient client = new RespClient(harness.node.respPort())) {
                        for (int n = 0; n < EACH; n++) {
                            done += client.ask("SETNX first" + n + " " + mine).equals(":1") ? 1 : 0;
                            done += client.ask("GETDEL token" + n).equals("nil") ? 0 : 1;
                        }
                    }
                    return done;
                });
            }
            try (RespClient client = new RespClient(harness.node.respPort())) {
                for (int n = 0; n < EACH; n++) {
                    assertThat(client.ask("SET token" + n + " v")).isEqualTo("+OK");
                }
                int done = 0;
                for (Future<Integer> each : threads.invokeAll(clients)) {
                    done += each.get();
                }
                assertThat(done).isEqualTo(2 * EACH);
                assertThat(client.ask("EXISTS token0 token1")).isEqualTo(":0");
            }
        }
    }

    /// Increments that came during a commit share the next one.
    @Test
    void incrementsOfOneLoopShareAWrite() throws Exception {
        try (NodeHarness harness = new NodeHarness(
                options -> options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> {
                    o.respPort = 0;
                    o.eventLoops = 1;
                }))) {
            List<RespClient> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new RespClient(harness.node.respPort()));
                assertThat(clients.getLast().ask("PING")).isEqualTo("+PONG");
            }
            Gate gate = new Gate();
            harness.engine.blockCommits(gate);
            clients.getFirst().send("INCR n");
            await().until(() -> gate.waiting() == 1);
            long commits = harness.engine.commits();
            for (RespClient each : clients.subList(1, CLIENTS)) {
                each.send("INCR n");
                each.send("PING");
            }
            // The loop has read all of them once it has answered one that came later.
            try (RespClient last = new RespClient(harness.node.respPort())) {
                assertThat(last.ask("PING")).isEqualTo("+PONG");
                assertThat(last.ask("PING")).isEqualTo("+PONG");
            }
            gate.open();
            List<String> replies = new ArrayList<>();
            for (RespClient each : clients) {
                replies.add(each.read());
            }
            assertThat(replies).hasSize(CLIENTS).doesNotHaveDuplicates().contains(":1", ":" + CLIENTS);
            assertThat(harness.engine.commits() - commits)
                    .as("the first, and all others together")
                    .isLessThanOrEqualTo(3);
            for (RespClient each : clients) {
                each.close();
            }
        }
    }

    /// A write over HTTP between the read and the write of an update is not taken back.
    @Test
    void aWriteOfAnotherInBetweenIsNotLost() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            client.ask("SET n 1");
            Gate gate = new Gate();
            harness.engine.blockScans(gate);
            client.send("INCRBY n 5");
            await().until(() -> gate.waiting() == 1);
            harness.engine.blockScans(null);
            Gate commits = new Gate();
            harness.engine.blockCommits(commits);
            RawClient http = harness.client().send(NodeHarness.put("n", "100"));
            await().until(() -> commits.waiting() == 1);
            gate.open();
            commits.open();
            assertThat(http.read().status()).isEqualTo(201);
            assertThat(client.read()).isEqualTo(":105");
            assertThat(client.ask("GET n")).isEqualTo("\"105\"");
        }
    }

    /// The value of a counter is cached; a change by another client shows when it is written.
    @Test
    void aCounterIsReadOnceUnlessAnotherChangesIt() throws Exception {
        try (NodeHarness harness = new NodeHarness(
                        options -> options.withExecutor(ExecutorKind.ADAPTIVE).with(o -> {
                            o.respPort = 0;
                            o.eventLoops = 1;
                        }));
                RespClient client = new RespClient(harness.node.respPort())) {
            for (int i = 1; i <= 5; i++) {
                assertThat(client.ask("INCR n")).isEqualTo(":" + i);
            }
            assertThat(scans(harness)).isEqualTo(1);
            assertThat(client.ask("SET n 41")).isEqualTo("+OK");
            assertThat(client.ask("INCR n")).isEqualTo(":42");
            assertThat(scans(harness)).isEqualTo(2);
            assertThat(client.ask("SET n 41 EX 100")).isEqualTo("+OK");
            assertThat(client.ask("PERSIST n"))
                    .as("what was known would stay as it is, so it is read")
                    .isEqualTo(":1");
            assertThat(client.ask("DEL n")).isEqualTo(":1");
            assertThat(client.ask("EXPIRE n 100"))
                    .as("nothing is written, so it is read")
                    .isEqualTo(":0");
        }
    }

    private static long scans(NodeHarness harness) {
        return harness.engine.calls().stream()
                .filter(call -> call.startsWith("scan"))
                .count();
    }

    /// The client gets `TRYAGAIN` or the error of the engine, and nothing waits for ever.
    @Test
    void aWriteThatFailsFailsThoseThatShareIt() throws Exception {
        try (NodeHarness harness = node(ExecutorKind.ADAPTIVE);
                RespClient client = new RespClient(harness.node.respPort())) {
            harness.engine.failWrites(new EngineException.Busy("no room"));
            assertThat(client.ask("INCR n")).isEqualTo("-TRYAGAIN no room");
            assertThat(client.ask("SET n 1")).isEqualTo("-TRYAGAIN no room");
            assertThat(client.ask("DEL n m")).isEqualTo("-TRYAGAIN no room");
            harness.engine.failWrites(new EngineException.StorageFull("the disk is full"));
            assertThat(client.ask("SET n 1")).isEqualTo("-OOM the disk is full");
            harness.engine.failWrites(null);
            assertThat(client.ask("INCR n")).isEqualTo(":1");
            harness.engine.failScans(0, new EngineException.Corruption("file", 5, "a block is damaged"));
            assertThat(client.ask("INCR m")).startsWith("-ERR ").contains("a block is damaged");
            assertThat(client.ask("TTL n")).startsWith("-ERR ").contains("a block is damaged");
            assertThat(client.ask("SCAN 0")).startsWith("-ERR ").contains("a block is damaged");
            harness.engine.failScans(Long.MAX_VALUE, null);
            assertThat(client.ask("INCR n")).isEqualTo(":2");
        }
    }
}
