package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ForwardingStorage;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.storage.WritableFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Merges that wait for a disk rest where no rate is given, and not where they are to go as fast as they can.
class GivingWayTest {

    private static final int EVERY_GROUP = 1;
    private static final int KEYS = 100;

    @ParameterizedTest
    @ValueSource(longs = {CompactionOptions.BY_LOAD, 0})
    void mergesRestWhereTheyCompeteUnlessToldOtherwise(long bytesPerSecond) {
        LsmOptions options = SimOptions.of(1, "none", EVERY_GROUP)
                .with(o -> o.compaction = new CompactionOptions(new Leveled(2, 1 << 16, 10), 1, bytesPerSecond));
        try (LsmEngine engine = TestEngines.open(new SlowStorage(), options)) {
            for (int round = 0; round < 6; round++) {
                Mutation[] group = new Mutation[KEYS];
                for (int i = 0; i < KEYS; i++) {
                    group[i] = Samples.put("key-%03d".formatted(i), "value " + round);
                }
                Samples.write(engine, group);
            }
            engine.awaitRest();
            double restedSeconds = Figures.of(engine).get("kvant_lsm_compaction_gave_way_seconds_total");
            if (bytesPerSecond == CompactionOptions.BY_LOAD) {
                assertThat(restedSeconds).isPositive();
            } else {
                assertThat(restedSeconds).isZero();
            }
        }
    }

    /// Each table that a merge begins takes a while, in which its thread is on no core.
    private static final class SlowStorage extends ForwardingStorage {

        private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(50);

        SlowStorage() {
            super(new HeapStorage());
        }

        @Override
        public WritableFile create(String name) throws IOException {
            if (FileNames.tableNumber(name) != null
                    && Thread.currentThread().getName().startsWith("kvant-lsm-compaction")) {
                long endNanos = System.nanoTime() + NANOS;
                for (long left = NANOS; left > 0; left = endNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
            }
            return super.create(name);
        }
    }
}
