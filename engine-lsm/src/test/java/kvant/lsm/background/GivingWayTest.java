package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.Maintenance;
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
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// By default, merges rest while they compete for the disk, and flushes rest during writes. Neither rests where merges
/// are to run at full speed.
class GivingWayTest {

    private static final int EVERY_GROUP = 1;
    private static final int KEYS = 100;
    private static final int MEMTABLE_BYTES = 256 << 10;
    private static final int MEMTABLE_NEVER_FULL = 5 << 20;
    private static final int RECORDS_OF_MEMTABLE = 2_000;
    /// Of one record each, which do not fill that memtable however slow a flush is.
    private static final int WRITES_BESIDE = 1_000;

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

    @ParameterizedTest
    @ValueSource(longs = {CompactionOptions.BY_LOAD, 0})
    void flushesRestWhileSomebodyWritesUnlessToldOtherwise(long bytesPerSecond) {
        HeldFlush storage = new HeldFlush();
        try (LsmEngine engine = TestEngines.open(storage, options(MEMTABLE_BYTES, bytesPerSecond))) {
            fill(engine, "");
            Samples.write(engine, Samples.put("next", "seals the one before"));
            storage.awaitFlush();
            Samples.write(engine, Samples.put("other", "while it goes on"));
            storage.release();
            engine.awaitRest();
            double restedSeconds = Figures.of(engine).get("kvant_lsm_flush_gave_way_seconds_total");
            if (bytesPerSecond == CompactionOptions.BY_LOAD) {
                assertThat(restedSeconds).isPositive();
            } else {
                assertThat(restedSeconds).isZero();
            }
        }
    }

    /// An operator waits for it, so concurrent writes must not slow it down.
    @Test
    void aFlushThatAnOperatorAskedForDoesNotRest() throws InterruptedException {
        HeldFlush storage = new HeldFlush();
        LsmOptions options = options(MEMTABLE_NEVER_FULL, CompactionOptions.BY_LOAD);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int group = 0; group < 4; group++) { // much larger than the first slab of the next memtable
                fill(engine, group + "-");
            }
            Maintenance maintenance = TestEngines.maintenance(engine, options);
            Thread operator = Thread.ofPlatform().start(() -> maintenance.compact(_ -> {}));
            storage.awaitFlush();
            Samples.write(engine, Samples.put("other", "while it goes on"));
            storage.release();
            for (int i = 0; i < WRITES_BESIDE && operator.isAlive(); i++) {
                Samples.write(engine, Samples.put("other", "while it goes on"));
            }
            operator.join();

            await("the flush is counted, after its table is there")
                    .untilAsserted(() -> assertThat(Figures.of(engine).get("kvant_lsm_flushes_total"))
                            .isEqualTo(1));
            assertThat(Figures.of(engine).get("kvant_lsm_flush_gave_way_seconds_total"))
                    .isZero();
        }
    }

    private static LsmOptions options(int memtableBytes, long bytesPerSecond) {
        return SimOptions.of(1, "none", memtableBytes).with(o -> {
            o.table = new TableOptions(4 << 10, 1 << 20);
            o.values = ValueOptions.DEFAULT;
            o.compaction = new CompactionOptions(new Leveled(4, 1 << 20, 10), 1, bytesPerSecond);
        });
    }

    private static void fill(LsmEngine engine, String prefix) {
        Mutation[] group = new Mutation[RECORDS_OF_MEMTABLE];
        for (int i = 0; i < group.length; i++) {
            group[i] = Samples.put(prefix + "key-%05d".formatted(i), "v".repeat(200));
        }
        Samples.write(engine, group);
    }

    /// The first table of a flush is held until the test releases it, and a while longer.
    private static final class HeldFlush extends ForwardingStorage {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        HeldFlush() {
            super(new HeapStorage());
        }

        void awaitFlush() {
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> begun.getCount() == 0);
        }

        void release() {
            released.countDown();
        }

        @Override
        public WritableFile create(String name) throws IOException {
            if (FileNames.tableNumber(name) != null
                    && Thread.currentThread().getName().equals("kvant-lsm-flush")) {
                begun.countDown();
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException(e.getMessage());
                }
                pass(TimeUnit.MILLISECONDS.toNanos(2));
            }
            return super.create(name);
        }
    }

    private static void pass(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
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
                pass(NANOS);
            }
            return super.create(name);
        }
    }
}
