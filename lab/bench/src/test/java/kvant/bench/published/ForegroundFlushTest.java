package kvant.bench.published;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Writes that wait for a flush, on a disk that takes no table until the test allows it.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForegroundFlushTest {

    private static final int FULL_AFTER_EVERY_GROUP = 1;
    private static final int LARGE = 1 << 20;
    private static final Duration A_WHILE = Duration.ofMillis(150);

    private final SimStorage storage = new SimStorage();
    private final BlockedTables blocked = new BlockedTables(storage);
    private final List<LsmEngine> opened = new ArrayList<>();
    private final RecordingSink sink = new RecordingSink();

    @AfterEach
    void close() {
        storage.fail(Faults.NONE);
        blocked.release(); // else an engine could not be closed after a failure
        opened.forEach(LsmEngine::close);
    }

    @Test
    void thePutThatFillsTheMemtableIsCompletedOnlyAfterItsFlush() {
        LsmEngine engine = open(FULL_AFTER_EVERY_GROUP);
        engine.submit(new Write(WriteBatch.of(put("a", "1")), sink));
        await().until(() -> sealed(engine) == 1);
        await().during(A_WHILE).until(() -> sink.completed().isEmpty());
        assertThat(storage.hasUnsynced(".log")).as("it is in the log").isFalse();
        assertThat(Samples.get(engine, "a")).as("it can be read").isEqualTo("1");
        blocked.release();
        sink.awaitCompleted(1);
        assertThat(sealed(engine)).isZero();
        assertThat(TestEngines.store(engine).readers().current().version().runs())
                .isNotEmpty();
        assertThat(sink.completed()).allMatch(write -> write.outcome() == Write.Outcome.APPLIED);
    }

    @Test
    void withoutItThePutIsCompletedAtOnce() {
        LsmEngine engine = opened(TestEngines.open(blocked, options(FULL_AFTER_EVERY_GROUP)));
        Samples.write(engine, put("a", "1"));
        Samples.write(engine, put("b", "2")); // seals a
        assertThat(sealed(engine)).isEqualTo(1);
        blocked.release();
    }

    @Test
    void allOthersWaitBehindTheFlush() {
        LsmEngine engine = open(FULL_AFTER_EVERY_GROUP);
        engine.submit(new Write(WriteBatch.of(put("a", "1")), sink));
        await().until(() -> sealed(engine) == 1);
        RecordingSink others = new RecordingSink();
        engine.submit(new Write(WriteBatch.of(put("b", "2")), others));
        await().during(A_WHILE).until(() -> others.completed().isEmpty());
        assertThat(Samples.get(engine, "b")).isNull();
        blocked.release();
        others.awaitCompleted(1);
    }

    @Test
    void aPutThatLeavesRoomWaitsForNothing() {
        LsmEngine engine = open(LARGE);
        Samples.write(engine, put("a", "1"));
        Samples.write(engine, put("b", "2"));
        assertThat(sealed(engine)).isZero();
    }

    @Test
    void aFlushThatFailsIsNotWaitedForUntilItSucceeds() {
        blocked.release();
        LsmEngine engine = open(FULL_AFTER_EVERY_GROUP);
        storage.fail(new Faults(Faults.Kind.EIO, ForegroundFlushTest::beginsTable));
        Samples.write(engine, put("a", "1"));
        assertThat(engine.health().ready()).isFalse();
        Samples.write(engine, put("b", "2"));
        assertThat(sealed(engine)).isPositive();

        storage.fail(Faults.NONE);
        await().until(() -> sealed(engine) == 0 && engine.health().ready());
        blocked.block();
        engine.submit(new Write(WriteBatch.of(put("c", "3")), sink));
        await().until(() -> sealed(engine) > 0);
        await().during(A_WHILE).until(() -> sink.completed().isEmpty());
        blocked.release();
        sink.awaitCompleted(1);
    }

    /// All that is in memory is in the log, too: it is not flushed because the log is dead.
    @Test
    void aDeadLogIsNotTouchedAgainBecauseTheMemtableIsFull() {
        blocked.release();
        LsmEngine engine = open(options(LARGE).withDurability(Durability.ALWAYS));
        AtomicInteger syncs = new AtomicInteger();
        storage.fail(new Faults(
                Faults.Kind.EIO, call -> call.operation() == Call.Operation.SYNC && syncs.incrementAndGet() > 1));
        Samples.write(engine, put("a", "v".repeat(LARGE))); // it is synced, and its log cannot be ended
        storage.fail(Faults.NONE);
        EngineException death = TestEngines.store(engine).health().writeFailure();
        Write write = Samples.settle(engine, WriteBatch.of(put("b", "2")));
        assertThat(write.failure()).isInstanceOf(EngineException.LogFailed.class);
        assertThat(sealed(engine)).isZero();
        assertThat(TestEngines.store(engine).readers().current().version().runs())
                .isEmpty();
        assertThat(TestEngines.store(engine).health().writeFailure())
                .as("nothing else went wrong")
                .isSameAs(death);
    }

    @Test
    void whatAnEarlierGroupSealedIsNotWaitedFor() {
        blocked.release();
        LsmEngine engine = open(LARGE);
        storage.fail(new Faults(Faults.Kind.EIO, ForegroundFlushTest::beginsTable));
        Samples.write(engine, put("a", "v".repeat(LARGE)));
        Samples.write(engine, put("b", "v".repeat(LARGE)));
        assertThat(sealed(engine)).isEqualTo(2);
        storage.fail(new Faults(Faults.Kind.EIO, call -> {
            if (beginsTable(call)) {
                blocked.block(); // this one is begun, the next one waits
            }
            return false;
        }));
        await().until(() -> sealed(engine) == 1 && engine.health().ready());
        Samples.write(engine, put("c", "3"));
        assertThat(sealed(engine)).isEqualTo(1);
    }

    @Test
    void closingWaitsForTheFlushAndCompletesWhatWaitedForIt() throws Exception {
        LsmEngine engine = open(FULL_AFTER_EVERY_GROUP);
        engine.submit(new Write(WriteBatch.of(put("a", "1")), sink));
        await().until(() -> sealed(engine) == 1);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(engine::close);
        blocked.release();
        closing.get(Samples.timeoutNanos(), TimeUnit.NANOSECONDS);
        assertThat(sink.completed()).singleElement().matches(write -> write.outcome() == Write.Outcome.APPLIED);
    }

    private LsmEngine open(int memtableBytes) {
        return open(options(memtableBytes));
    }

    private LsmEngine open(LsmOptions options) {
        PublishedLsm published = new PublishedLsm(Set.of(PublishedWay.FOREGROUND_FLUSH));
        return opened((LsmEngine) published.open(parts -> TestEngines.open(blocked, options, parts)));
    }

    private LsmEngine opened(LsmEngine engine) {
        opened.add(engine);
        return engine;
    }

    static LsmOptions options(int memtableBytes) {
        return SimOptions.of(1, Durability.ALWAYS.toString(), memtableBytes);
    }

    private static int sealed(LsmEngine engine) {
        return TestEngines.store(engine).readers().current().sealed().size();
    }

    private static boolean beginsTable(Call call) {
        return call.operation() == Call.Operation.CREATE && call.file().endsWith(".table");
    }
}
