package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static kvant.server.NodeHarness.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import kvant.server.execute.PoolOptions;
import kvant.server.execute.PoolOptions.OnFull;
import kvant.server.execute.PoolOptions.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The queues and pools that the async executor can be given.
class PoolVariantsTest {

    private static final int CALLS = 12;
    private static final String UNBOUNDED = "" + PoolOptions.UNBOUNDED;

    private static NodeHarness withPool(PoolOptions pool) {
        return new NodeHarness(options -> options.with(o -> {
            o.pool = pool;
            o.eventLoops = 1;
        }));
    }

    @ParameterizedTest
    @CsvSource({"100, FIFO", UNBOUNDED + ", FIFO", "100, LIFO", "100, ADAPTIVE"})
    void waitingRequestsAreServedInTheOrderOfTheQueue(int bound, Order order) throws Exception {
        PoolOptions pool = PoolOptions.classic(1).withQueue(bound).with(p -> p.order = order);
        try (NodeHarness harness = withPool(pool)) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client().send(get("first"));
            await().until(() -> gate.waiting() == 1);
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                keys.add("get " + HexFormat.of().formatHex(bytes("k" + i)));
                client.send(get("k" + i));
            }
            await().until(() -> harness.waiting() == CALLS);
            gate.open();
            for (int i = 0; i <= CALLS; i++) {
                assertThat(client.read().status()).isEqualTo(404);
            }
            List<String> expected = order == Order.LIFO ? keys.reversed() : keys;
            assertThat(harness.engine.calls().subList(1, CALLS + 1)).isEqualTo(expected);
        }
    }

    /// The newest comes to a worker first, and is left with the one before it, which is refused, and that with the
    /// oldest.
    @ParameterizedTest
    @EnumSource(Order.class)
    void writesOfAConnectionKeepTheirOrderWhateverThatOfTheQueueAndWhoeverIsRefused(Order order) throws Exception {
        try (NodeHarness harness = withPool(PoolOptions.classic(1).with(p -> p.order = order))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("first"));
            await().until(() -> gate.waiting() == 1);
            RawClient client = harness.client();
            client.send(put("k", "1")
                    + put("late", "2").replace("Host: h", "Host: h\r\nKvant-Deadline-Millis: 1")
                    + put("k", "3"));
            await().until(() -> harness.waiting() == 2); // the one in the middle was turned away
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(client.read().status()).isEqualTo(503);
            assertThat(client.read().status()).isEqualTo(201);
            assertThat(harness.engine.stored(bytes("k"))).isEqualTo(bytes("3"));
            assertThat(harness.engine.stored(bytes("late"))).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"2, FIFO", "2, LIFO", "2, ADAPTIVE", "1, FIFO", "8, FIFO"})
    void aQueueHoldsAsManyAsItsBoundBesidesThoseThatRun(int bound, Order order) throws Exception {
        PoolOptions pool = PoolOptions.classic(4).withQueue(bound).with(p -> p.order = order);
        try (NodeHarness harness = withPool(pool)) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            int fit = 4 + bound;
            RawClient client = harness.client().send(get("k").repeat(fit + 3));
            await().until(() -> gate.waiting() == 4);
            await().until(() -> harness.figure("kvant_pool_refused_total{pool=\"kvant-worker\",reason=\"full\"}") == 3);
            gate.open();
            for (int i = 0; i < fit + 3; i++) {
                assertThat(client.read().status()).isEqualTo(i < fit ? 404 : 503);
            }
        }
    }

    @Test
    void whatAClientAskedForThatHasResetItsConnectionIsNotRead() throws Exception {
        try (NodeHarness harness = withPool(PoolOptions.classic(1))) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("first"));
            await().until(() -> gate.waiting() == 1);
            RawClient gone = harness.client().send(get("second"));
            await().until(() -> harness.waiting() == 1);

            gone.socket().setSoLinger(true, 0);
            gone.socket().close();

            await().until(() -> harness.figure("kvant_pool_abandoned_total{pool=\"kvant-worker\"}") == 1);
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(harness.engine.calls())
                    .noneMatch(call -> call.contains(HexFormat.of().formatHex(bytes("second"))));
        }
    }

    @Test
    void whatFindsNoRoomRunsOnTheCaller() throws Exception {
        PoolOptions pool = PoolOptions.classic(1).withQueue(1).with(p -> p.onFull = OnFull.CALLER);
        try (NodeHarness harness = withPool(pool)) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient stuck = harness.client().send(get("a"));
            await().until(() -> gate.waiting() == 1);
            harness.engine.blockReads(null);
            RawClient waiting = harness.client().send(get("b"));
            await().until(() -> harness.waiting() == 1);
            assertThat(harness.client().exchange(get("c")).status()).isEqualTo(404);
            assertThat(harness.engine.callers().getLast()).startsWith("kvant-loop");
            gate.open();
            assertThat(stuck.read().status()).isEqualTo(404);
            assertThat(waiting.read().status()).isEqualTo(404);
        }
    }

    @Test
    void workersAreAddedWhileTheQueueIsFullAndEndAfterTheirKeepAlive() throws Exception {
        PoolOptions pool = PoolOptions.classic(1)
                .with(p -> {
                    p.maxWorkers = 3;
                    p.keepAlive = Duration.ofMillis(50);
                })
                .withQueue(1);
        try (NodeHarness harness = withPool(pool)) {
            Gate gate = new Gate();
            harness.engine.blockReads(gate);
            RawClient client = harness.client();
            for (int i = 0; i < 5; i++) {
                client.send(get("k"));
            }
            await().until(() -> gate.waiting() == 3);
            assertThat(harness.figure("kvant_pool_workers{pool=\"kvant-worker\"}"))
                    .isEqualTo(3);
            gate.open();
            for (int i = 0; i < 5; i++) {
                assertThat(client.read().status()).isEqualTo(i < 4 ? 404 : 503);
            }
            await().until(() -> harness.figure("kvant_pool_workers{pool=\"kvant-worker\"}") == 1);
            assertThat(client.exchange(get("k")).status()).isEqualTo(404);
        }
    }
}
