package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.store.Backlog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Writes slow down, then stop, then fail, while a disk takes no tables; reads continue all the time.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteStallTest {

    private static final int MEMTABLE_BYTES = 1 << 20;
    private static final int VALUE_BYTES = 60_000;
    private static final Universal NEVER = new Universal(1_000, 1_000);
    private static final String MEMTABLE_STALLS = "kvant_lsm_write_stall_seconds{cause,memtables}";
    private static final String RUN_STALLS = "kvant_lsm_write_stall_seconds{cause,level-zero}";

    private final SimStorage storage = new SimStorage();
    private final BlockedTables blocked = new BlockedTables(storage);
    private final RecordingSink sink = new RecordingSink();

    @Test
    void writesSlowDownLongBeforeTheyStopAndFailOnceTheyHaveBeenStoppedForTheLimit() {
        LsmOptions options = options(MEMTABLE_BYTES, throttle(Duration.ofMillis(40), Duration.ofMillis(300)));
        try (LsmEngine engine = TestEngines.open(blocked, options)) {
            int accepted = 0;
            int delayed = 0;
            double firstDelay = Double.MAX_VALUE; // the shortest of some: a busy machine makes one longer
            double lastDelay = 0;
            EngineException failure = null;
            while (failure == null) {
                double before = stallSeconds(engine);
                failure = write(engine, accepted).failure();
                double heldSeconds = stallSeconds(engine) - before;
                if (failure == null) {
                    accepted++;
                    delayed += heldSeconds > 0 ? 1 : 0;
                    firstDelay = heldSeconds > 0 && delayed <= 4 ? Math.min(firstDelay, heldSeconds) : firstDelay;
                    lastDelay = heldSeconds;
                } else {
                    assertThat(heldSeconds).as("stopped for").isGreaterThanOrEqualTo(0.3);
                }
            }
            assertThat(failure).isInstanceOf(EngineException.Busy.class).hasMessageContaining("flush");
            assertThat(delayed).as("delayed of %d", accepted).isBetween(8, accepted - 8);
            assertThat(lastDelay).isGreaterThan(2 * firstDelay).isGreaterThan(0.02);
            assertThat(shortestRefusal(engine))
                    .as("after the limit, waiting is over for all")
                    .isLessThan(0.29);
            for (int i = 0; i < accepted; i++) {
                assertThat(Samples.get(engine, "key" + i)).as("reads continue").hasSize(VALUE_BYTES);
            }
            blocked.release();
            await().until(() -> write(engine, 2_000).failure() == null);
        }
    }

    @Test
    void aFlushThatEndsInTimeLetsAStoppedWriteThrough() {
        LsmOptions options = options(MEMTABLE_BYTES, throttle(Duration.ZERO, Duration.ofMinutes(5)));
        try (LsmEngine engine = TestEngines.open(blocked, options)) {
            int submitted = submitUntilHeld(engine);
            blocked.release();
            sink.awaitCompleted(submitted);
            assertThat(sink.completed()).allMatch(write -> write.outcome() == Write.Outcome.APPLIED);
        }
    }

    @Test
    void closingDoesNotWaitForADelay() throws Exception {
        LsmOptions options = options(MEMTABLE_BYTES, throttle(Duration.ofHours(5), Duration.ofMillis(1)));
        LsmEngine engine = TestEngines.open(blocked, options);
        int submitted = submitUntilHeld(engine);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(engine::close);
        sink.awaitCompleted(submitted);
        assertThat(sink.completed()).anyMatch(write -> write.outcome() == Write.Outcome.APPLIED);
        blocked.release();
        closing.get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS);
    }

    @Test
    void tooManyRunsThatNobodyMergesSlowWritesDownAndStopThem() {
        LsmOptions options = options(
                1, new WriteThrottle(Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(50), 3, 6, 1, 2));
        blocked.release();
        try (LsmEngine engine = TestEngines.open(blocked, options)) {
            await().until(() ->
                    settle(engine, WriteBatch.of(put("a", "1"))).failure() instanceof EngineException.Busy busy
                            && String.valueOf(busy.getMessage()).contains("compaction"));
            assertThat(Figures.of(engine).get(RUN_STALLS)).isGreaterThan(1);
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
        }
    }

    @Test
    void whatWasAcknowledgedBeforeItsSyncIsSyncedBeforeWritesAreHeldBack() {
        LsmOptions options = SimOptions.of(1, "interval=60000", 1).with(o -> {
            o.compaction = CompactionOptions.of(NEVER);
            o.throttle =
                    new WriteThrottle(Duration.ofSeconds(20), Duration.ofHours(5), Duration.ofMinutes(5), 1, 3, 1, 2);
        });
        blocked.release();
        try (LsmEngine engine = TestEngines.open(blocked, options)) {
            Samples.write(engine, put("a", "1"));
            Samples.write(engine, put("b", "2")); // seals a
            await().until(() -> Figures.of(engine).get("kvant_lsm_sealed_memtables") == 0);
            blocked.block();
            Samples.write(engine, put("c", "3")); // seals b
            assertThat(storage.hasUnsynced(".log")).isTrue();
            blocked.release();
            await().until(() -> Figures.of(engine).get("kvant_lsm_sealed_memtables") == 0);
            engine.submit(new Write(WriteBatch.of(put("d", "4")), sink));
            await().until(WriteStallTest::isHeld);
            assertThat(storage.hasUnsynced(".log")).isFalse();
        } finally {
            blocked.release();
        }
        sink.awaitCompleted(1);
    }

    /// @return how many writes were submitted, of which the last are being held back
    private int submitUntilHeld(LsmEngine engine) {
        int submitted = 0;
        while (!isHeld()) {
            engine.submit(new Write(WriteBatch.of(large(submitted)), sink));
            submitted++;
            int expected = submitted;
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> sink.completed().size() == expected || isHeld());
        }
        return submitted;
    }

    private static boolean isHeld() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().equals("kvant-lsm-commit"))
                .anyMatch(entry -> Arrays.stream(entry.getValue())
                                .anyMatch(frame -> frame.getClassName().equals(Backlog.class.getName()))
                        && entry.getKey().getState() == Thread.State.TIMED_WAITING);
    }

    /// Seconds for which a write was held that was refused: of five, because a busy machine makes one longer.
    private static double shortestRefusal(LsmEngine engine) {
        double shortest = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            double before = stallSeconds(engine);
            assertThat(write(engine, 1_000).failure()).isInstanceOf(EngineException.Busy.class);
            shortest = Math.min(shortest, stallSeconds(engine) - before);
        }
        return shortest;
    }

    private static double stallSeconds(LsmEngine engine) {
        return Figures.of(engine).get(MEMTABLE_STALLS.replace("_seconds", "_seconds_sum"));
    }

    private static Write write(LsmEngine engine, int number) {
        return settle(engine, WriteBatch.of(large(number)));
    }

    private static Mutation large(int number) {
        return put("key" + number, "v".repeat(VALUE_BYTES));
    }

    private static WriteThrottle throttle(Duration maxDelay, Duration maxStall) {
        return new WriteThrottle(Duration.ofSeconds(20), maxDelay, maxStall, 1_000, 2_000, 1L << 40, 1L << 41);
    }

    private static LsmOptions options(int memtableBytes, WriteThrottle throttle) {
        return SimOptions.of(1, "always", memtableBytes).with(o -> {
            o.compaction = CompactionOptions.of(NEVER);
            o.throttle = throttle;
        });
    }
}
