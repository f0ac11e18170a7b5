package kvant.lsm.commit;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A disk that no longer takes tables fills no memory: memtables, then the queue, then Busy.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackPressureTest {

    private static final int VALUE_BYTES = 1 << 20;
    private static final int MEMTABLE_BYTES = 1 << 20;
    private static final int TOO_MANY = 1_000;

    private final SimStorage storage = new SimStorage();
    private final BlockedTables blocked = new BlockedTables(storage);
    private final RecordingSink sink = new RecordingSink();
    /// Writes that have stopped wait for longer than the test.
    private final LsmOptions options = SimOptions.of(1, "always", MEMTABLE_BYTES)
            .with(o -> o.throttle = new WriteThrottle(
                    Duration.ofSeconds(20), Duration.ZERO, Duration.ofMinutes(5), 20, 36, 1 << 30, 1L << 40));

    @Test
    void writesBeyondTheQueueAreRefusedWhileNothingCanBeFlushed() throws Exception {
        LsmEngine engine = TestEngines.open(blocked, options);
        int accepted = fill(engine);
        // The queue, one group that is being committed, and the memtables: the active one and two sealed.
        long bound = options.commit().maxPendingBytes()
                + 3L * (MEMTABLE_BYTES + options.commit().maxGroupBytes());
        assertThat((long) accepted * VALUE_BYTES).isLessThanOrEqualTo(bound);
        sink.awaitCompleted(2);
        // A group for each memtable, two sealed and the active one, and the write that was refused.
        long atMost = 1 + 3 * options.commit().maxGroupBytes() / VALUE_BYTES;
        await().during(Duration.ofMillis(200)).until(() -> sink.completed().size() <= atMost);
        assertThat(engine.get(bytes("key0"))).as("reads continue").isInstanceOf(Lookup.Found.class);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(engine::close);
        blocked.release();
        closing.get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS);
        assertEveryAcceptedWriteIsThere(accepted);
    }

    @Test
    void aQueueThatWasFullTakesWritesAgain() {
        try (LsmEngine engine = TestEngines.open(blocked, options)) {
            int accepted = fill(engine);
            blocked.release();
            sink.awaitCompleted(accepted + 1);
            Samples.write(engine, Samples.put("again", "v"));
        }
    }

    /// @return how many writes were accepted before the first was refused
    private int fill(LsmEngine engine) {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < TOO_MANY; i++) {
            Write write = new Write(WriteBatch.of(new Mutation.Put(bytes("key" + i), value)), sink);
            engine.submit(write);
            if (isRefused(write)) {
                return i;
            }
        }
        blocked.release(); // else the engine could not be closed
        throw new AssertionError("never refused");
    }

    private boolean isRefused(Write write) {
        List<Write> completed = sink.completed();
        return completed.contains(write) && write.failure() instanceof EngineException.Busy;
    }

    private void assertEveryAcceptedWriteIsThere(int accepted) {
        assertThat(sink.completed())
                .filteredOn(write -> write.outcome() == Write.Outcome.APPLIED)
                .hasSize(accepted);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < accepted; i++) {
                assertThat(engine.get(bytes("key" + i))).isInstanceOf(Lookup.Found.class);
            }
        }
    }
}
