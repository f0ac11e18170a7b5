package kvant.lsm.changes;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.engine.Inspection;
import kvant.engine.feed.ChangeCursor;
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

/// A kill leaves the room of the last log, which was preallocated and never written. That room is not what is kept of
/// logs for those who follow changes.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledLogsTest {

    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int NEVER_FULL = 8 << 20;
    private static final int KILLS = 8;

    /// A sixteenth of a segment, from which on the next one is made ready.
    private static final int WRITES = SEGMENT_BYTES / 16 / 1_000;

    @Test
    void whatWasWrittenBeforeEightKillsIsToldWhereRoomIsKeptForLessThanTheirZeros() throws IOException {
        SimStorage storage = new SimStorage();
        LsmOptions options = options(2 * SEGMENT_BYTES);
        for (int kill = 0; kill < KILLS; kill++) {
            storage = killedInPreallocatedLog(storage, options, kill);
        }
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            FollowedCopy copy = new FollowedCopy();
            copy.follow(engine, 1 << 20);
            assertThat(copy.entries()).isEqualTo(scan(engine, "", null)).isNotEmpty();
            assertThat(Figures.of(engine).get("kvant_lsm_retained_log_bytes")).isLessThan(2 * SEGMENT_BYTES);
        }
        long fileBytes = 0;
        for (String log : logs(storage)) {
            fileBytes += storage.size(log);
        }
        assertThat(fileBytes).as("nor is it on the disk").isLessThan(2 * SEGMENT_BYTES);
    }

    @Test
    void theStartAfterAKillCutsTheRoomOff() throws IOException {
        LsmOptions options = options(2 * SEGMENT_BYTES);
        SimStorage storage = killedInPreallocatedLog(new SimStorage(), options, 0);
        assertThat(largestLog(storage)).isEqualTo(SEGMENT_BYTES);
        try (LsmEngine _ = TestEngines.open(storage, options)) {
            assertThat(largestLog(storage)).isLessThan(SEGMENT_BYTES / 2);
        }
    }

    /// As versions left it that did not cut it off: it is cut off where it is found.
    @Test
    void roomThatKeptLogsHaveFromAnEarlierStartIsCutOff() throws IOException {
        LsmOptions options = options(2 * SEGMENT_BYTES);
        SimStorage storage = killedInPreallocatedLog(new SimStorage(), options, 0);
        storage.fail(new Faults(Faults.Kind.EIO, call -> call.operation() == Call.Operation.TRUNCATE));
        TestEngines.open(storage, options).close();
        long before = largestLog(storage);
        assertThat(before).isEqualTo(SEGMENT_BYTES);
        storage.fail(Faults.NONE);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            assertThat(largestLog(storage)).isLessThan(SEGMENT_BYTES / 2);
            FollowedCopy copy = new FollowedCopy();
            copy.follow(engine, 1 << 20);
            assertThat(copy.entries()).isEqualTo(scan(engine, "", null)).isNotEmpty();
        }
    }

    /// Whatever it takes, and whatever empty logs follow it.
    @Test
    void theLogWithTheNewestChangeIsKept() throws IOException {
        SimStorage storage = new SimStorage();
        LsmOptions options = options(1);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < 5; i++) {
                write(engine, put("key" + i, "v".repeat(100_000)));
            }
            storage = storage.killed();
        }
        for (int start = 0; start < 3; start++) { // each leaves a log without a change
            try (LsmEngine engine = TestEngines.open(storage, options)) {
                engine.awaitRest();
                long newest = engine.changes().newest();
                ChangeCursor cursor = engine.changes().after(newest - 1);
                cursor.read(
                        Long.MAX_VALUE,
                        1 << 20,
                        (change, more) -> assertThat(change.version()).isEqualTo(newest));
                assertThat(cursor.version()).isEqualTo(newest);
            }
        }
        assertThat(logs(storage)).hasSizeLessThan(4);
    }

    @Test
    void logsAreShownByWhatWasWrittenToThem() {
        SimStorage storage = new SimStorage();
        LsmOptions options = options(0);
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            long written = writeUntilPreallocated(engine, 0);
            var inspection = TestEngines.maintenance(engine, options).inspect();
            long shown =
                    inspection.logs().stream().mapToLong(Inspection.Log::bytes).sum();
            assertThat(shown).isBetween(written, 2 * written);
        }
    }

    @Test
    void noMoreIsPreallocatedThanAMemtableTakes() {
        LsmOptions usual = LsmOptions.defaults();
        assertThat(usual.withMemtable(1 << 20).preallocatedBytes()).isEqualTo(1 << 20);
        assertThat(usual.withMemtable(1 << 20).withMemtable(64 << 20).preallocatedBytes())
                .isEqualTo(8 << 20);
    }

    /// Its writes are in a log that was preallocated, and it is killed behind them.
    private static SimStorage killedInPreallocatedLog(SimStorage storage, LsmOptions options, int kill) {
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            writeUntilPreallocated(engine, kill);
            await().until(() -> !storage.files().contains(FileNames.LOG_NEXT)); // which a start would delete
            return storage.killed();
        }
    }

    /// @return about how many bytes
    private static long writeUntilPreallocated(LsmEngine engine, int kill) {
        for (int i = 0; i < WRITES; i++) {
            write(engine, put("key" + kill + "." + i, "v".repeat(1_000)));
        }
        await().until(() -> {
            write(engine, put("last" + kill, "v"));
            return Figures.of(engine).get("kvant_lsm_logs_begun_total{room,preallocated}") > 0;
        });
        return WRITES * 1_000L;
    }

    private static long largestLog(SimStorage storage) throws IOException {
        long largest = 0;
        for (String log : logs(storage)) {
            try {
                largest = Math.max(largest, storage.size(log));
            } catch (NoSuchFileException _) {
                // An engine that is open has deleted it since.
            }
        }
        return largest;
    }

    private static List<String> logs(SimStorage storage) {
        return storage.files().stream()
                .filter(file -> FileNames.logNumber(file) != null)
                .toList();
    }

    private static LsmOptions options(long retainedBytes) {
        return SimOptions.of(2, "always", NEVER_FULL).with(o -> {
            o.preallocatedBytes = SEGMENT_BYTES;
            o.retainedLogBytes = retainedBytes;
        });
    }
}
