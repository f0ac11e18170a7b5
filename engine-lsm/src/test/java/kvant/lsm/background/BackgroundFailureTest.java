package kvant.lsm.background;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Behaviour of the engine under one failure at a time.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackgroundFailureTest {

    private static final int EVERY_GROUP = 1;
    private static final int NEVER = 64 << 20;

    private final SimStorage storage = new SimStorage();

    @Test
    void whatIsUnsyncedIsSyncedWithinTheIntervalAlthoughWritesHaveStopped() {
        try (LsmEngine engine = open("interval=20", NEVER)) {
            Samples.write(engine, put("a", "1"));
            patiently().until(() -> !storage.hasUnsynced(".log"));
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
        }
    }

    @Test
    void theCommitThreadSleepsAfterTheLogHasFailed() {
        try (LsmEngine engine = open("interval=20", NEVER)) {
            storage.fail(new Faults(Faults.Kind.EIO, call -> call.operation() == Call.Operation.SYNC));
            Samples.write(engine, put("a", "1"));
            patiently().until(() -> !engine.health().ready());
            long before = commitThreadNanos();
            await().during(Duration.ofMillis(300))
                    .until(() -> commitThreadNanos() - before
                            < Duration.ofMillis(100).toNanos());
            assertThat(settle(engine, WriteBatch.of(put("a", "2"))).failure())
                    .isInstanceOf(EngineException.LogFailed.class);
        }
    }

    @Test
    void healthNoticesWithoutAWriteThatAFullDiskHasRoomAgain() {
        LsmOptions options = SimOptions.of(1, "always", NEVER).with(o -> o.headroomBytes = 1_000);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            Samples.write(engine, put("a", "1"));
            storage.setUsableBytes(999);
            patiently()
                    .until(() -> settle(engine, WriteBatch.of(put("b", "2"))).failure()
                            instanceof EngineException.StorageFull);
            assertThat(engine.health().ready()).isFalse();
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
            storage.setUsableBytes(1_000);
            patiently().until(() -> engine.health().ready());
            Samples.write(engine, put("b", "3"));
        }
    }

    @Test
    void writesGoOnWhereTheDiskDoesNotSayHowMuchRoomItHas() {
        storage.fail(new Faults(Faults.Kind.EIO, call -> call.operation() == Call.Operation.USABLE_BYTES));
        LsmOptions options = SimOptions.of(1, "always", NEVER).with(o -> o.headroomBytes = 1_000);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            Samples.write(engine, put("a", "1"));
        }
    }

    @Test
    void anErrorInTheFlushThreadIsATransientFailure() {
        AtomicBoolean thrown = new AtomicBoolean();
        storage.observe(call -> {
            if (isTable(call) && thrown.compareAndSet(false, true)) {
                throw new LinkageError("simulated");
            }
        });
        try (LsmEngine engine = open("always", EVERY_GROUP)) {
            patiently().until(() -> settle(engine, WriteBatch.of(put("a", "1"))).failure() != null);
            assertThat(thrown).isTrue();
            patiently().until(() -> settle(engine, WriteBatch.of(put("a", "2"))).failure() == null);
        }
    }

    @Test
    void noTablesAreWrittenInVainOnceTheManifestHasFailed() {
        AtomicInteger tables = new AtomicInteger();
        storage.observe(call -> tables.addAndGet(isTable(call) ? 1 : 0));
        try (LsmEngine engine = open("always", EVERY_GROUP)) {
            storage.fail(new Faults(
                    Faults.Kind.EIO,
                    call -> call.operation() == Call.Operation.WRITE
                            && call.file().startsWith("MANIFEST")
                            && tables.get() > 0));
            patiently().until(() -> settle(engine, WriteBatch.of(put("a", "1"))).failure() != null);
            patiently().until(() -> !engine.health().ready());
            storage.fail(Faults.NONE);
            int before = tables.get();
            // Longer than two attempts of the flush thread are apart.
            await().during(Duration.ofMillis(1_300)).until(() -> tables.get() == before);
        }
    }

    private LsmEngine open(String durability, int memtableBytes) {
        return TestEngines.open(storage, SimOptions.of(1, durability, memtableBytes));
    }

    private static boolean isTable(Call call) {
        return call.operation() == Call.Operation.CREATE && call.file().endsWith(".table");
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos())).pollInterval(Duration.ofMillis(5));
    }

    private static long commitThreadNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long total = 0;
        for (long id : threads.getAllThreadIds()) {
            var info = threads.getThreadInfo(id);
            if (info != null && info.getThreadName().equals("kvant-lsm-commit")) {
                total += threads.getThreadCpuTime(id);
            }
        }
        return total;
    }
}
