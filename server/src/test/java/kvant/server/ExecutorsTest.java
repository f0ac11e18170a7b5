package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Which thread meets the engine, and who waits for whom.
class ExecutorsTest {

    private static final String SCAN = "GET /v0/entities?start=a HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String ALIVE = "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n";

    /// The watchdog of the event loop: with one loop, and every way into the engine stuck, others are answered.
    @ParameterizedTest
    @EnumSource(value = ExecutorKind.class, mode = EnumSource.Mode.EXCLUDE, names = "SYNC")
    void anEngineThatSleepsDelaysNoOtherConnection(ExecutorKind executor) throws Exception {
        try (NodeHarness harness = new NodeHarness(
                options -> options.withExecutor(executor).withWorkers(4).with(o -> o.eventLoops = 1))) {
            harness.engine.load(bytes("k"), bytes("v"));
            Gate reads = new Gate();
            Gate scans = new Gate();
            Gate commits = new Gate();
            harness.engine.blockReads(reads);
            harness.engine.blockScans(scans);
            harness.engine.blockCommits(commits);
            RawClient read = harness.client().send(get("k"));
            RawClient scan = harness.client().send(SCAN);
            RawClient write = harness.client().send(put("w", "w"));
            await().until(() -> reads.waiting() == 1 && scans.waiting() == 1 && commits.waiting() == 1);

            RawClient other = harness.client();
            for (int i = 0; i < 100; i++) {
                assertThat(other.exchange(ALIVE).status()).isEqualTo(200);
            }
            harness.engine.blockReads(null);
            assertThat(other.exchange(get("k")).text()).isEqualTo("v");
            assertThat(reads.waiting() + scans.waiting() + commits.waiting())
                    .as("still stuck")
                    .isEqualTo(3);

            harness.engine.openGates();
            assertThat(read.read().text()).isEqualTo("v");
            assertThat(scan.read().status()).isEqualTo(200);
            assertThat(write.read().status()).isEqualTo(201);
        }
    }

    @Test
    void adaptiveAnswersOnTheLoopWhatIsInMemoryAndOnAWorkerWhatWouldBlock() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE))) {
            harness.engine.load(bytes("k"), bytes("v"));
            RawClient client = harness.client();
            assertThat(client.exchange(get("k")).text()).isEqualTo("v");
            assertThat(client.exchange(get("none")).status()).isEqualTo(404);
            assertThat(client.exchange(put("p", "x")).status()).isEqualTo(201);
            assertThat(harness.engine.callers()).hasSize(3).allMatch(name -> name.startsWith("kvant-loop"));
            harness.engine.slowReads(true);
            assertThat(client.exchange(get("k")).text()).isEqualTo("v");
            assertThat(client.exchange(SCAN).status()).isEqualTo(200);
            assertThat(harness.engine.callers().get(3)).startsWith("kvant-worker");
            assertThat(harness.engine.callers().get(4)).startsWith("kvant-range");
        }
    }

    /// Refusing a short range costs as much as answering it.
    @Test
    void adaptiveAnswersShortRangesOnTheLoopUnlessTheyWouldBlock() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(ExecutorKind.ADAPTIVE))) {
            harness.engine.shortRanges(true);
            harness.engine.load(bytes("k"), bytes("v"));
            harness.engine.load(bytes("l"), bytes("w"));
            RawClient client = harness.client();
            assertThat(client.exchange(scan("a", 1)).text()).isEqualTo("k\nv");
            assertThat(client.exchange(SCAN).text()).isEqualTo("k\nvl\nw");
            assertThat(client.exchange(scan("z", 5)).text()).isEmpty();
            assertThat(harness.engine.callers()).hasSize(3).allMatch(name -> name.startsWith("kvant-loop"));
            assertThat(harness.engine.openCursors()).isZero();

            harness.engine.slowReads(true);
            assertThat(client.exchange(scan("a", 64)).text()).isEqualTo("k\nvl\nw");
            assertThat(harness.engine.callers().getLast()).startsWith("kvant-worker");
            assertThat(client.exchange(scan("a", 65)).text()).isEqualTo("k\nvl\nw");
            assertThat(harness.engine.callers().getLast()).startsWith("kvant-range");
            assertThat(client.exchange(SCAN).text()).isEqualTo("k\nvl\nw");
            assertThat(harness.engine.callers().getLast()).startsWith("kvant-range");
            harness.engine.slowReads(false);

            harness.engine.load(bytes("m"), new byte[100_000]);
            assertThat(client.exchange(scan("a", 5)).body()).hasSizeGreaterThan(100_000);
            assertThat(harness.engine.callers().getLast()).startsWith("kvant-range");
        }
    }

    /// Failed attempts take the event loop from requests that it could answer.
    @Test
    void whileRangesWaitALongOneIsNotTriedOnTheLoop() throws Exception {
        int[] workers = new int[1];
        try (NodeHarness harness = new NodeHarness(options -> {
            NodeOptions adaptive = options.withExecutor(ExecutorKind.ADAPTIVE);
            int cores = Runtime.getRuntime().availableProcessors();
            workers[0] = adaptive.pool().forRanges(cores).workers();
            return adaptive;
        })) {
            harness.engine.shortRanges(true);
            harness.engine.slowReads(true); // or the event loop would wait at the gate
            harness.engine.load(bytes("k"), bytes("v"));
            Gate gate = new Gate();
            harness.engine.blockScans(gate);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i <= workers[0]; i++) {
                clients.add(harness.client().send(SCAN));
            }
            await().until(() -> harness.rangesWaiting() == 1);
            harness.engine.slowReads(false);
            clients.add(harness.client().send(SCAN));
            await().until(() -> harness.rangesWaiting() == 2);
            assertThat(harness.engine.callers()).allMatch(name -> name.startsWith("kvant-range"));
            harness.engine.openGates();
            for (RawClient client : clients) {
                assertThat(client.read().text()).isEqualTo("k\nv");
            }
        }
    }

    private static String scan(String start, int limit) {
        return "GET /v0/entities?start=" + start + "&limit=" + limit + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }

    @Test
    void eachExecutorRunsWhereItsNameSays() throws Exception {
        List<String> names = List.of("kvant-loop", "kvant-worker", "kvant-request", "kvant-loop");
        for (ExecutorKind executor : ExecutorKind.values()) {
            try (NodeHarness harness = new NodeHarness(options -> options.withExecutor(executor))) {
                assertThat(harness.client().exchange(get("k")).status()).isEqualTo(404);
                assertThat(harness.client().exchange(put("k", "v")).status()).isEqualTo(201);
                assertThat(harness.engine.callers())
                        .hasSize(2)
                        .allMatch(name -> name.startsWith(names.get(executor.ordinal())));
            }
        }
    }

    @Test
    void aPoolForWritesIsNotHeldUpByReads() throws Exception {
        for (boolean split : new boolean[] {true, false}) {
            try (NodeHarness harness = new NodeHarness(options -> {
                NodeOptions one = options.withWorkers(1);
                return split ? one.with(o -> o.writePool = one.pool()) : one;
            })) {
                Gate gate = new Gate();
                harness.engine.blockReads(gate);
                RawClient stuck = harness.client().send(get("k"));
                await().until(() -> gate.waiting() == 1);
                RawClient writer = harness.client().send(put("w", "v"));
                if (split) {
                    assertThat(writer.read().status()).isEqualTo(201);
                    assertThat(harness.engine.callers().getLast()).startsWith("kvant-writer");
                } else {
                    await().until(() -> harness.waiting() == 1);
                }
                gate.open();
                assertThat(stuck.read().status()).isEqualTo(404);
            }
        }
    }
}
