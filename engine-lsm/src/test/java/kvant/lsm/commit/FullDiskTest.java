package kvant.lsm.commit;

import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.SmallDisk;
import kvant.lsm.table.TableOptions;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A full disk takes no puts, but clients can make room on it.
class FullDiskTest {

    private static final long HEADROOM_BYTES = 256 << 10;
    private static final String VALUE = "v".repeat(1_000);

    private static final int WRITES = 120;
    private static final int DELETIONS = 20;

    /// Less than any of the deletions free.
    private static final long LACKING_BYTES = 12 << 10;

    private final SmallDisk disk = new SmallDisk(1 << 20);

    @Test
    void deletingMakesRoomAndWritesResume() {
        try (LsmEngine engine = open()) {
            int count = fill(engine);
            assertThat(count).isGreaterThan(100);
            for (int i = 0; i < count; i++) {
                String key = key(i);
                patiently().until(() -> isApplied(settle(engine, WriteBatch.of(delete(key)))));
                assertThat(Samples.get(engine, key)).isNull();
            }

            patiently().until(() -> engine.health().ready());

            Samples.write(engine, put("again", VALUE));
            assertThat(Samples.keys(Samples.scan(engine, "", null))).containsExactly("again");
        }
        try (LsmEngine engine = open()) {
            assertThat(Samples.keys(Samples.scan(engine, "", null))).containsExactly("again");
        }
    }

    /// Nothing else flushes the memtable that has them, because puts are refused.
    @Test
    void deletionsFromBeforeTheDiskWasFullMakeRoom() {
        try (LsmEngine engine = open()) {
            putKeys(engine, 0, WRITES);
            for (int i = 0; i < WRITES; i++) {
                Samples.write(engine, delete(key(i)));
            }
            engine.awaitRest(); // else a running flush may make the room
            disk.setUsableBytes(HEADROOM_BYTES - LACKING_BYTES);
            patiently().until(() -> !isApplied(settle(engine, WriteBatch.of(put("again", VALUE)))));

            patiently().until(() -> isApplied(settle(engine, WriteBatch.of(put("again", VALUE)))));
        }
    }

    /// Too few for a merge on a disk that has room: their table has more values than deletions.
    @ParameterizedTest
    @MethodSource("pickers")
    void fewDeletionsMakeRoom(Picker picker) {
        try (LsmEngine engine = open(32 << 10, picker)) {
            putKeys(engine, 0, WRITES);
            engine.awaitRest();
            putKeys(engine, WRITES, WRITES + 3 * DELETIONS / 2);
            engine.awaitRest(); // as above
            disk.setUsableBytes(HEADROOM_BYTES - LACKING_BYTES);
            patiently().until(() -> !isApplied(settle(engine, WriteBatch.of(put("again", VALUE)))));
            for (int i = 0; i < DELETIONS; i++) {
                Samples.write(engine, delete(key(i)));
            }

            patiently().until(() -> isApplied(settle(engine, WriteBatch.of(put("again", VALUE)))));
            assertThat(Samples.scan(engine, "", null)).hasSize(WRITES + DELETIONS / 2 + 1);
        }
    }

    private static List<Picker> pickers() {
        return List.of(Leveled.above(32 << 10), Universal.DEFAULT);
    }

    @Test
    void aBatchThatDoesMoreThanDeleteIsRefused() {
        try (LsmEngine engine = open()) {
            Samples.write(engine, put(key(0), VALUE));
            disk.setUsableBytes(HEADROOM_BYTES / 2);
            patiently().until(() -> !isApplied(settle(engine, WriteBatch.of(put(key(0), VALUE)))));
            for (Mutation refused : List.of(put("a", "b"), put(key(0), ""))) {
                assertRefused(engine, refused);
                assertRefused(engine, delete(key(0)), refused);
            }
            assertThat(Samples.get(engine, key(0))).isEqualTo(VALUE);
        }
    }

    @Test
    void deletionsLeaveAReserveForFlushAndMerge() {
        try (LsmEngine engine = open()) {
            Samples.write(engine, put("a", "1"), put("b", "2"));
            disk.setUsableBytes(HEADROOM_BYTES / 4 - 1);
            patiently()
                    .until(() -> settle(engine, WriteBatch.of(delete("a"))).failure()
                            instanceof EngineException.StorageFull);
            assertThat(Samples.get(engine, "b")).isEqualTo("2");
            disk.setUsableBytes(HEADROOM_BYTES / 2);
            patiently().until(() -> isApplied(settle(engine, WriteBatch.of(delete("b")))));
            assertRefused(engine, put("c", "3"));
        }
    }

    /// The memtable is far from full, and the disk too. What the last record leaves is too little for an end record.
    @Test
    void aLogThatMayNotGrowIsEndedAndTheNextOneTakesWhatFollows() {
        disk.setLongestFileBytes(40 << 10);
        try (LsmEngine engine = open(8 << 20)) {
            int refused = 0;
            for (int i = 0; i < WRITES; i++) {
                String key = key(i);
                Write write = settle(engine, WriteBatch.of(put(key, VALUE)));
                if (!isApplied(write)) {
                    refused++;
                    assertThat(write.failure())
                            .isInstanceOf(EngineException.StorageFull.class)
                            .hasMessageContaining(
                                    "a log of heap/ would be larger than a file may be: the next log begins");
                    patiently().until(() -> isApplied(settle(engine, WriteBatch.of(put(key, VALUE)))));
                }
            }
            assertThat(refused).isBetween(2, 6);
            assertThat(Samples.scan(engine, "", null)).hasSize(WRITES);
        }
        try (LsmEngine engine = open(8 << 20)) {
            assertThat(Samples.scan(engine, "", null)).hasSize(WRITES);
        }
    }

    @Test
    void oneWriteThatNoLogMayHoldIsRefusedAlone() {
        disk.setLongestFileBytes(40 << 10);
        try (LsmEngine engine = open(8 << 20)) {
            for (int i = 0; i < 20; i++) {
                assertThat(settle(engine, WriteBatch.of(put("large", "v".repeat(50 << 10))))
                                .failure())
                        .isInstanceOf(EngineException.StorageFull.class);
                assertThat(engine.health().ready()).isTrue();
                assertThat(isApplied(settle(engine, WriteBatch.of(put(key(i), "small")))))
                        .isTrue();
                assertThat(isApplied(settle(engine, WriteBatch.of(delete("gone")))))
                        .isTrue();
            }
            assertThat(Samples.scan(engine, "", null)).hasSize(20);
        }
    }

    /// @return how many keys fitted
    private static int fill(LsmEngine engine) {
        int count = 0;
        while (isApplied(settle(engine, WriteBatch.of(put(key(count), VALUE))))) {
            count++;
        }
        assertThat(engine.health().ready()).isFalse(); // until the next check of the disk
        engine.awaitRest();
        // Merges may have made room once more.
        while (isApplied(settle(engine, WriteBatch.of(put(key(count), VALUE))))) {
            count++;
        }
        return count;
    }

    private static void putKeys(LsmEngine engine, int from, int to) {
        for (int i = from; i < to; i++) {
            Samples.write(engine, put(key(i), VALUE));
        }
    }

    private static void assertRefused(LsmEngine engine, Mutation... mutations) {
        assertThat(settle(engine, WriteBatch.of(List.of(mutations))).failure())
                .isInstanceOf(EngineException.StorageFull.class)
                .hasMessageContaining("delete something");
    }

    private static boolean isApplied(Write write) {
        return write.outcome() == Write.Outcome.APPLIED;
    }

    private static String key(int number) {
        return "key%05d".formatted(number);
    }

    private LsmEngine open() {
        return open(32 << 10);
    }

    private LsmEngine open(int memtableBytes) {
        return open(memtableBytes, Leveled.above(32 << 10));
    }

    private LsmEngine open(int memtableBytes, Picker picker) {
        LsmOptions options = SimOptions.of(1, "always", memtableBytes).with(o -> {
            o.headroomBytes = HEADROOM_BYTES;
            o.table = new TableOptions(4 << 10, 32 << 10);
            o.compaction = CompactionOptions.of(picker);
            o.manifestBytes = 8 << 10;
        });
        return TestEngines.open(disk, options);
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos())).pollInterval(Duration.ofMillis(5));
    }
}
