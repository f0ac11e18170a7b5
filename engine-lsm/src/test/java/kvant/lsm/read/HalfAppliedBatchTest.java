package kvant.lsm.read;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmParts;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.ForwardingMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A batch that has been applied in part is not there for anyone.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HalfAppliedBatchTest {

    private static final int LARGE_MEMTABLE = 1 << 20;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Test
    void aGetSeesNothingOfABatchThatIsBeingApplied() throws Exception {
        LsmParts parts = new LsmParts() {
            @Override
            public Memtable memtable(long expectedBytes) {
                return new HeldMemtable(new ArenaMemtable(expectedBytes));
            }
        };
        try (LsmEngine engine = TestEngines.open(new SimStorage(), SimOptions.of(1, "always", LARGE_MEMTABLE), parts)) {
            Samples.write(engine, put("a", "old"));
            RecordingSink sink = new RecordingSink();
            engine.submit(new Write(WriteBatch.of(List.of(put("a", "new"), put("b", "new"), put("held", "v"))), sink));
            assertThat(reached.await(Samples.timeoutNanos(), TimeUnit.NANOSECONDS))
                    .isTrue();
            try {
                assertThat(Samples.get(engine, "a")).isEqualTo("old");
                assertThat(Samples.get(engine, "b")).isNull();
                assertThat(Samples.keys(Samples.scan(engine, "", null))).containsExactly("a");
            } finally {
                released.countDown();
            }
            sink.awaitCompleted(1);
            assertThat(Samples.get(engine, "a")).isEqualTo("new");
            assertThat(Samples.get(engine, "b")).isEqualTo("new");
        }
    }

    /// Stops the commit thread before it adds the key `held`.
    private final class HeldMemtable extends ForwardingMemtable {

        HeldMemtable(Memtable records) {
            super(records);
        }

        @Override
        public void add(long sequence, int kind, byte[] key, byte[] value, long expiresAtMillis) {
            if (Samples.text(key).equals("held")) {
                reached.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            super.add(sequence, kind, key, value, expiresAtMillis);
        }
    }
}
