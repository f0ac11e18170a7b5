package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Other programs fill the disk during a merge, for which there was room when it began.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoomWatchTest {

    private static final long HEADROOM_BYTES = 1_000;

    /// Together several times what a merge writes between two looks at the disk.
    private static final int VALUES = 6_000;

    private static final String VALUE = "v".repeat(3_000);

    private final SimStorage storage = new SimStorage();

    @Test
    void theMergeEndsAndDeletesWhatItHasWritten() {
        try (LsmEngine engine = TestEngines.open(storage, options())) {
            for (int i = 0; i < VALUES; i++) {
                Samples.write(engine, Samples.put("key-%04d".formatted(i), VALUE));
            }
            engine.awaitRest();
            List<String> before = tables();
            assertThat(before).hasSizeGreaterThan(1);

            storage.observe(call -> {
                if (call.operation() == Call.Operation.WRITE && isTable(call.file())) {
                    storage.setUsableBytes(HEADROOM_BYTES - 1);
                }
            });
            FullCompaction merges = TestEngines.store(engine).fullCompaction();
            long failing = request(engine, merges);
            patiently()
                    .untilAsserted(() -> assertThatThrownBy(() -> merges.isDone(failing))
                            .isInstanceOf(EngineException.StorageFull.class)
                            .hasMessageContaining("continues when there is room"));
            assertThat(tables()).isEqualTo(before);

            storage.observe(_ -> {});
            storage.setUsableBytes(Long.MAX_VALUE);
            long succeeding = request(engine, merges);
            patiently().until(() -> merges.isDone(succeeding));
            assertThat(tables()).doesNotContainAnyElementsOf(before);
            assertThat(Samples.get(engine, "key-0000")).isEqualTo(VALUE);
        }
    }

    private static long request(LsmEngine engine, FullCompaction merges) {
        long request = merges.request();
        TestEngines.store(engine).signal();
        return request;
    }

    private List<String> tables() {
        return storage.files().stream().filter(RoomWatchTest::isTable).sorted().toList();
    }

    private static boolean isTable(String file) {
        return FileNames.tableNumber(file) != null;
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos()));
    }

    /// One thread, so that one merge writes all of it.
    private static LsmOptions options() {
        return SimOptions.of(1, "none", 2 << 20).with(o -> {
            o.table = new TableOptions(4 << 10, 4 << 20);
            o.values = ValueOptions.DEFAULT;
            o.compaction = CompactionOptions.of(new Universal(1_000, 1_000)); // merges nothing by itself
            o.headroomBytes = HEADROOM_BYTES;
            o.manifestBytes = 1 << 20;
        });
    }
}
