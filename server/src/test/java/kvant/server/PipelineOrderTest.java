package kvant.server;

import static kvant.server.NodeHarness.batch;
import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.delete;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.server.MemoryEngine.Gate;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests that were sent in one segment take effect in their order.
@NullUnmarked
@ParameterizedClass
@EnumSource(ExecutorKind.class)
class PipelineOrderTest {

    private static final int TIMES = 150;
    private static final String RANGE = "GET /v0/entities?prefix=k HTTP/1.1\r\nHost: h\r\n\r\n";

    @Parameter
    ExecutorKind executor;

    private NodeHarness harness;
    private RawClient client;

    @BeforeEach
    void start() throws Exception {
        harness = new NodeHarness(
                options -> options.withExecutor(executor).withWorkers(4).with(o -> o.eventLoops = 1));
        client = harness.client();
    }

    @AfterEach
    void stop() throws Exception {
        harness.close();
    }

    @Test
    void aGetSeesThePutBeforeIt() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(put("k", "value " + i) + get("k"));
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(client.read().text()).isEqualTo("value " + i);
        }
    }

    @Test
    void aGetSeesTheDeleteBeforeIt() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(put("k", "value") + delete("k") + get("k"));
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(client.read().status()).isEqualTo(202);
            assertThat(client.read().status()).isEqualTo(404);
        }
    }

    @Test
    void aRangeSeesThePutBeforeItAndNotTheOneBehindIt() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(put("k", "value " + i) + RANGE + put("k", "later"));
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(client.read().text()).isEqualTo("k\nvalue " + i);
            assertThat(client.read().status()).isEqualTo(201);
        }
    }

    @Test
    void aGetDoesNotSeeThePutBehindIt() throws Exception {
        harness.engine.slowReads(true);
        for (int i = 0; i < TIMES; i++) {
            client.send(delete("k") + get("k") + put("k", "value"));
            assertThat(client.read().status()).isEqualTo(202);
            assertThat(client.read().status()).isEqualTo(404);
            assertThat(client.read().status()).isEqualTo(201);
        }
    }

    @Test
    void theLastPutStays() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(put("k", "3") + put("k", "4") + put("k", "5"));
            for (int put = 0; put < 3; put++) {
                assertThat(client.read().status()).isEqualTo(201);
            }
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("5"));
        }
    }

    @Test
    void ofTwoThatWantToBeTheFirstTheFirstIs() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(delete("k") + putIfAbsent("k", "first") + putIfAbsent("k", "second"));
            assertThat(client.read().status()).isEqualTo(202);
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(client.read().status()).isEqualTo(412);
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("first"));
        }
    }

    @Test
    void aBatchIsAWriteAmongOthers() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(put("k", "a") + batch("put 1 1\nkb\nput 1 1\nlb\n") + put("k", "c") + get("l") + get("k"));
            for (int write = 0; write < 3; write++) {
                assertThat(client.read().status()).isEqualTo(201);
            }
            assertThat(client.read().text()).isEqualTo("b");
            assertThat(client.read().text()).isEqualTo("c");
        }
    }

    @Test
    void writesThatAreTurnedAwayKeepNoOtherFromItsTurn() throws Exception {
        for (int i = 0; i < TIMES; i++) {
            client.send(put("k", "a") + batch("nonsense") + put("k", "b") + batch("nonsense") + put("k", "c"));
            for (int write = 0; write < 5; write++) {
                assertThat(client.read().status()).isEqualTo(write % 2 == 0 ? 201 : 400);
            }
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("c"));
        }
    }

    @Test
    void aWriteThatTheEngineThrowsAtKeepsNoOtherFromItsTurn() throws Exception {
        harness.engine.throwOnSubmit(new IllegalStateException("planted"));
        client.send(put("k", "a") + put("k", "b") + put("k", "c"));
        for (int write = 0; write < 3; write++) {
            assertThat(client.read().status()).isEqualTo(500);
        }
        harness.engine.throwOnSubmit(null);
        harness.engine.failWrites(new EngineException.StorageFull("no room"));
        client.send(put("k", "a") + get("k"));
        assertThat(client.read().status()).isEqualTo(507);
        assertThat(client.read().status()).isEqualTo(404);
    }

    /// Puts must not become a sync each.
    @Test
    void pipelinedPutsShareCommitGroups() throws Exception {
        Gate gate = new Gate();
        harness.engine.blockCommits(gate);
        int puts = 60;
        StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < puts; i++) {
            pipeline.append(put("k" + i, "v"));
        }
        client.send(pipeline.toString());
        await().until(() -> harness.engine.calls().size() == puts);
        gate.open();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < puts; i++) {
            assertThat(client.read().status()).isEqualTo(201);
            expected.add("put " + hex("k" + i));
        }
        assertThat(harness.engine.calls()).as("in their order").isEqualTo(expected);
        assertThat(harness.engine.groups()).isLessThanOrEqualTo(3);
    }

    @Test
    void aWriteWaitsForTheReadBeforeIt() throws Exception {
        assumeThat(executor).isNotEqualTo(ExecutorKind.SYNC); // its loop is stuck in the read
        Gate gate = new Gate();
        harness.engine.blockReads(gate);
        client.send(get("k") + get("l") + put("k", "v"));
        await().until(() -> gate.waiting() == 2);
        assertLoopIsFree();
        assertThat(harness.engine.calls()).noneMatch(call -> call.startsWith("put"));
        gate.open();
        assertThat(client.read().status()).isEqualTo(404);
        assertThat(client.read().status()).isEqualTo(404);
        assertThat(client.read().status()).isEqualTo(201);
    }

    @Test
    void aWriteWaitsForNoMoreThanTheSnapshotOfARange() throws Exception {
        for (int i = 0; i < 10_000; i++) {
            harness.engine.load(bytes("k%05d".formatted(i)), new byte[1024]);
        }
        RawClient slow = harness.client(4096).send(RANGE + put("k", "v"));
        await().until(() -> harness.engine.stored(bytes("k")) != null);
        assertThat(harness.node.openScans()).isEqualTo(1);
        slow.close();
    }

    @Test
    void whatWaitedTooLongIsNotExecutedAndKeepsItsPlace() throws Exception {
        Gate gate = new Gate();
        harness.engine.blockCommits(gate);
        client.send(put("k", "v")
                + "GET /v0/entity?id=late HTTP/1.1\r\nHost: h\r\nKvant-Deadline-Millis: 1\r\n\r\n"
                + put("late", "v").replace("Host: h\r\n", "Host: h\r\nKvant-Deadline-Millis: 1\r\n")
                + get("k"));
        await().until(() -> gate.waiting() == 1);
        long since = System.nanoTime();
        await().until(() -> System.nanoTime() - since > TimeUnit.MILLISECONDS.toNanos(3));
        gate.open();
        assertThat(client.read().status()).isEqualTo(201);
        for (int late = 0; late < 2; late++) {
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("urn:kvant:problem:deadline-passed");
        }
        assertThat(client.read().text()).isEqualTo("v");
        assertThat(harness.engine.calls()).noneMatch(call -> call.endsWith(hex("late")));
        assertThat(harness.node.memory().bodies().claimedBytes()).isZero();
    }

    @Test
    void whatWaitsIsDroppedWithItsConnection() throws Exception {
        assumeThat(executor).isNotEqualTo(ExecutorKind.SYNC); // its loop is stuck in the read
        Gate gate = new Gate();
        harness.engine.blockReads(gate);
        client.send(get("k") + put("k", "v") + get("l") + put("l", "v"));
        await().until(() ->
                gate.waiting() == 1 && harness.node.memory().bodies().claimedBytes() == 2);
        client.socket().setSoLinger(true, 0); // a reset: one that only ends its output still wants its answers
        client.close();
        await().until(() -> harness.node.memory().bodies().claimedBytes() == 0);
        gate.open();
        assertLoopIsFree();
        assertThat(harness.engine.calls()).hasSize(1);
    }

    /// Waiting requests count among the reads of their connection.
    @Test
    void theNodeStopsReadingWhileTooManyWait() throws Exception {
        Gate gate = new Gate();
        harness.engine.blockCommits(gate);
        client.send(put("k", "v") + get("k").repeat(100) + put("l", "v"));
        await().until(() -> gate.waiting() == 1);
        assertLoopIsFree();
        assertThat(harness.node.memory().bodies().claimedBytes())
                .as("the second put was not read")
                .isEqualTo(1);
        gate.open();
        assertThat(client.read().status()).isEqualTo(201);
        for (int i = 0; i < 100; i++) {
            assertThat(client.read().text()).isEqualTo("v");
        }
        assertThat(client.read().status()).isEqualTo(201);
    }

    /// Asserts that the requests sent before are read, and that the ones that could run were handed over.
    private void assertLoopIsFree() throws Exception {
        assertThat(harness.client()
                        .exchange("GET /livez HTTP/1.1\r\nHost: h\r\n\r\n")
                        .status())
                .isEqualTo(200);
    }

    private static String putIfAbsent(String id, String value) {
        return put(id, value).replace("Host: h\r\n", "Host: h\r\nIf-None-Match: *\r\n");
    }

    private static String hex(String key) {
        return HexFormat.of().formatHex(bytes(key));
    }
}
