package kvant.lsm.commit;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Preallocated log files: used if they are there, and not required.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PreallocationTest {

    private static final int SEGMENT_BYTES = 4_096;
    private static final int LARGE_SEGMENT_BYTES = 32 * SEGMENT_BYTES;
    private static final int NEVER_SEALED = 64 << 20;
    private static final String PREALLOCATED = "kvant_lsm_logs_begun_total{room,preallocated}";

    private final SimStorage storage = new SimStorage();

    @Test
    void aLogMovesIntoRoomThatIsReadyAndItsMemtableKeepsAllItsLogs() {
        int writes;
        SimStorage killed;
        try (LsmEngine engine = open("always")) {
            writes = writeUntilPreallocated(engine, 5);
            assertThat(Figures.of(engine).get("kvant_lsm_logs")).isGreaterThan(5);
            killed = storage.killed();
        }
        assertHolds(killed, writes);
        assertHolds(storage, writes);
        assertThat(storage.files()).doesNotContain(FileNames.LOG_NEXT);
    }

    @Test
    void anIdleStoreHasNoRoomMadeReady() {
        try (LsmEngine engine = open("always")) {
            Samples.write(engine, put("a", "1"));
            assertThat(threadIsRunning()).isFalse();
            assertThat(storage.files()).doesNotContain(FileNames.LOG_NEXT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "interval=1000"})
    void nothingIsMadeReadyWhereGroupsAreNotSynced(String durability) {
        try (LsmEngine engine = open(durability)) {
            for (int i = 0; i < 300; i++) {
                Samples.write(engine, put("key" + i, "v".repeat(50)));
            }
            assertThat(threadIsRunning()).isFalse();
        }
    }

    @Test
    void aDiskWithoutRoomForMoreThanTheWritesTakesTheWrites() {
        storage.fail(new Faults(Faults.Kind.SHORT_ENOSPC, call -> call.operation() == Call.Operation.PREALLOCATE));
        try (LsmEngine engine = open("always")) {
            int writes = 0;
            while (storage.faultsHit() == 0 || writes < 500) {
                Samples.write(engine, put("key" + writes, "v".repeat(50)));
                writes++;
            }
            await().until(() -> !storage.files().contains(FileNames.LOG_NEXT));
            assertThat(Figures.of(engine).get(PREALLOCATED)).isZero();
        }
        storage.fail(Faults.NONE);
        assertHolds(storage, 500);
    }

    @Test
    void aWriteThatFindsNoRoomGivesBackWhatWasMadeReady() {
        try (LsmEngine engine = open("always", LARGE_SEGMENT_BYTES)) { // whose log is not full when the next is ready
            int writes = writeUntilPreallocated(engine, 1);
            while (!storage.files().contains(FileNames.LOG_NEXT)) {
                Samples.write(engine, put("key" + writes, "v"));
                writes++;
            }
            storage.fail(new Faults(Faults.Kind.ENOSPC, call -> call.operation() == Call.Operation.WRITE));
            assertThat(Samples.settle(engine, WriteBatch.of(put("full", "v"))).failure())
                    .isInstanceOf(EngineException.StorageFull.class);
            // One that was still being made is given back by the next failure.
            await().until(() -> {
                Samples.settle(engine, WriteBatch.of(put("full", "v")));
                return !storage.files().contains(FileNames.LOG_NEXT);
            });
            storage.fail(Faults.NONE);
        }
    }

    @Test
    void roomThatACrashLeftBehindIsDeletedByTheNextStart() throws Exception {
        try (LsmEngine engine = open("always")) {
            Samples.write(engine, put("key0", "v"));
        }
        try (var left = storage.create(FileNames.LOG_NEXT)) {
            left.preallocate(SEGMENT_BYTES);
        }
        storage.syncDirectory();
        assertHolds(storage, 1);
        assertThat(storage.files()).doesNotContain(FileNames.LOG_NEXT);
    }

    private int writeUntilPreallocated(LsmEngine engine, int logs) {
        int writes = 0;
        while (Figures.of(engine).get(PREALLOCATED) < logs) {
            Samples.write(engine, put("key" + writes, "v".repeat(50)));
            writes++;
        }
        return writes;
    }

    private static void assertHolds(SimStorage image, int writes) {
        try (LsmEngine engine = TestEngines.open(image, SimOptions.of(2, "always", NEVER_SEALED))) {
            for (int i = 0; i < writes; i++) {
                assertThat(Samples.get(engine, "key" + i)).as("key%d", i).isNotNull();
            }
        }
    }

    private LsmEngine open(String durability) {
        return open(durability, SEGMENT_BYTES);
    }

    private LsmEngine open(String durability, int segmentBytes) {
        LsmOptions options = SimOptions.of(1, durability, NEVER_SEALED).with(o -> o.preallocatedBytes = segmentBytes);
        return TestEngines.open(storage, options);
    }

    private static boolean threadIsRunning() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("kvant-lsm-log"));
    }
}
