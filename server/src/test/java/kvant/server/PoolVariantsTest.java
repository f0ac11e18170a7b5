package kvant.server;

import static kvant.server.NodeHarness.bytes;
import static kvant.server.NodeHarness.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import kvant.server.MemoryEngine.Gate;
import kvant.server.service.PoolOptions;
import kvant.server.service.PoolOptions.OnFull;
import kvant.server.service.PoolOptions.Order;
import kvant.server.service.PoolOptions.Structure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The queues and pools that the async executor can be given.
class PoolVariantsTest {

    private static final int CALLS = 12;

    private static NodeHarness withPool(PoolOptions pool) {
        return new NodeHarness(options -> options.withPool(pool).withEventLoops(1));
    }

    @ParameterizedTest
    @CsvSource({"ARRAY, FIFO", "LINKED, FIFO", "MPMC, FIFO", "LINKED, LIFO", "LINKED, ADAPTIVE"})
    void waitingRequestsAreServedInTheOrderOfTheQueue(Structure structure, Order order) throws Exception {
        PoolOptions pool = new PoolOptions(1, 1, Duration.ZERO, 100, structure, order, OnFull.REJECT);
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

    @ParameterizedTest
    @CsvSource({"ARRAY, 2", "LINKED, 2", "MPMC, 2", "MPMC, 1", "ARRAY, 8"})
    void aQueueHoldsAsManyAsItsBoundBesidesThoseThatRun(Structure structure, int bound) throws Exception {
        PoolOptions pool = new PoolOptions(4, 4, Duration.ZERO, bound, structure, Order.FIFO, OnFull.REJECT);
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
    void whatFindsNoRoomRunsOnTheCaller() throws Exception {
        PoolOptions pool = PoolOptions.classic(1).withQueue(1).withOnFull(OnFull.CALLER);
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
                .withMaxWorkers(3)
                .withKeepAlive(Duration.ofMillis(50))
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
