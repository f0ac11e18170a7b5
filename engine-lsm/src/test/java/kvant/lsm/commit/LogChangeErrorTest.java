package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import kvant.engine.ActivitySink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.LsmParts;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An error while one log follows the other, such as one of memory, leaves no file open behind the engine.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogChangeErrorTest {

    private static final int EVERY_GROUP = 1;
    private static final int NEVER_SEALED = 64 << 20;
    private static final int SEGMENT_BYTES = 4_096;

    private final SimStorage storage = new SimStorage();
    private final AtomicBoolean fails = new AtomicBoolean();
    private final RandomGenerator numbers = new SplittableRandom(1);

    @Test
    void withoutMemoryForTheNextMemtableItsLogIsClosed() {
        LsmParts parts = new LsmParts() {
            @Override
            public Memtable memtable(long expectedBytes) {
                failOnDemand();
                return new ArenaMemtable(expectedBytes);
            }
        };
        try (LsmEngine engine = TestEngines.open(storage, SimOptions.of(1, "always", EVERY_GROUP), parts)) {
            Samples.write(engine, put("a", "1"));
            fails.set(true);
            assertThat(isApplied(engine)).isFalse();
            fails.set(false);
        }
        assertNothingIsOpen();
    }

    @Test
    void anErrorBeforeALogBeginsLeavesTheFileThatIsReadyForIt() {
        try (LsmEngine engine = TestEngines.open(storage, preallocating().with(o -> o.random = this::nextNumber))) {
            Samples.write(engine, put("a", "1"));
            fails.set(true);
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> !isApplied(engine));
            fails.set(false);
        }
        assertNothingIsOpen();
    }

    @Test
    void anErrorWhileAFileIsMadeReadyLeavesNone() {
        AtomicInteger told = new AtomicInteger();
        try (LsmEngine engine = TestEngines.open(storage, preallocating())) {
            engine.observe(new FailingSink(told));
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> {
                assertThat(isApplied(engine)).as("the next log grows").isTrue();
                return told.get() > 0;
            });
        }
        assertNothingIsOpen();
    }

    private void assertNothingIsOpen() {
        assertThat(storage.openFiles()).isZero();
        try (LsmEngine engine = TestEngines.open(storage, SimOptions.of(1, "always", EVERY_GROUP))) {
            assertThat(Samples.scan(engine, "", null)).isNotEmpty();
        }
    }

    private static boolean isApplied(LsmEngine engine) {
        return Samples.settle(engine, WriteBatch.of(put("b", "v".repeat(50)))).outcome() == Write.Outcome.APPLIED;
    }

    /// Of the commit thread alone, which begins logs with them.
    private long nextNumber() {
        if (Thread.currentThread().getName().equals("kvant-lsm-commit")) {
            failOnDemand();
        }
        synchronized (numbers) {
            return numbers.nextLong();
        }
    }

    private void failOnDemand() {
        if (fails.get()) {
            throw new OutOfMemoryError("simulated");
        }
    }

    private static LsmOptions preallocating() {
        return SimOptions.of(1, "always", NEVER_SEALED).with(o -> o.preallocatedBytes = SEGMENT_BYTES);
    }

    /// Fails when a log preallocation begins, and counts its failures.
    private record FailingSink(AtomicInteger told) implements ActivitySink {

        @Override
        public long began(String kind) {
            if (kind.equals("log preallocation")) {
                told.incrementAndGet();
                throw new OutOfMemoryError("simulated");
            }
            return 0;
        }

        @Override
        public void ended(long id) {}

        @Override
        public void during(String kind, long beginNanos, long endNanos) {}
    }
}
