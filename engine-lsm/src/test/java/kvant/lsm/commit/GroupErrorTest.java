package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.ActivitySink;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An error between the log and the memtable leaves a group in the log that cannot be read before the next start.
/// Nothing is written behind it: such writes could rest on reads that miss the group.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupErrorTest {

    private static final int NEVER_SEALED = 64 << 20;

    /// Long enough for a sync to be reported as slow.
    private static final long SYNC_NANOS = Duration.ofMillis(20).toNanos();

    private final SimStorage storage = new SimStorage();
    private final AtomicBoolean syncsSlowly = new AtomicBoolean();

    @Test
    void writesStopBehindAGroupThatMemoryNeverGot() {
        storage.observe(call -> {
            if (call.operation() == Call.Operation.SYNC && syncsSlowly.get()) {
                LockSupport.parkNanos(SYNC_NANOS);
            }
        });
        try (LsmEngine engine = open()) {
            engine.observe(new FailingSink());
            Samples.write(engine, put("a", "1"));
            syncsSlowly.set(true);
            assertThat(write(engine, "b").failure()).hasMessageContaining("outcome is unknown");
            syncsSlowly.set(false);

            assertThat(write(engine, "c").failure()).isInstanceOf(EngineException.LogFailed.class);
            assertThat(engine.health().ready()).isFalse();
            assertThat(Samples.scan(engine, "", null)).as("reads continue").hasSize(1);
        }
        try (LsmEngine engine = open()) {
            assertThat(Samples.scan(engine, "", null))
                    .as("all that the log has")
                    .hasSize(2);
            assertThat(Samples.get(engine, "a")).isEqualTo("1");
            assertThat(Samples.get(engine, "b")).isEqualTo("2");
        }
    }

    private LsmEngine open() {
        return TestEngines.open(storage, SimOptions.of(1, "always", NEVER_SEALED));
    }

    private static Write write(LsmEngine engine, String key) {
        return Samples.settle(engine, WriteBatch.of(put(key, "2")));
    }

    /// Fails when a slow sync is reported to it.
    private static final class FailingSink implements ActivitySink {

        @Override
        public long began(String kind) {
            return 0;
        }

        @Override
        public void ended(long id) {}

        @Override
        public void during(String kind, long beginNanos, long endNanos) {
            if (kind.equals("log sync")) {
                throw new OutOfMemoryError("simulated");
            }
        }
    }
}
