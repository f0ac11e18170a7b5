package kvant.lsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.SmallDisk;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.version.Version;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Scans keep files that merges have replaced, tables and files of values, for as long as the disk has room for them.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PinnedFilesTest {

    private static final int KEYS = 60;
    private static final long HEADROOM_BYTES = 256 << 10;
    private static final long CAPACITY_BYTES = 8 << 20;
    private static final String PINNED = "kvant_lsm_snapshot_pinned_file_bytes";
    private static final String BROKEN_OFF = "kvant_lsm_snapshots_broken_off_total";

    private SmallDisk disk;
    private LsmEngine engine;

    @BeforeEach
    void open() {
        open(new SmallDisk(CAPACITY_BYTES));
    }

    private void open(SmallDisk of) {
        disk = of;
        engine = TestEngines.open(of, options());
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void whileThereIsRoomAScanKeepsTheFilesOfItsSnapshot() {
        write(0);
        engine.awaitRest();
        List<Samples.Entry> expected = Samples.scan(engine, "", null);
        try (Cursor one = engine.scan(Range.all())) {
            double ofTwo;
            try (Cursor _ = engine.scan(Range.all())) {
                assertThat(pinned()).as("nothing is replaced").isZero();
                replaceAll(1);
                ofTwo = pinned();
                assertThat(ofTwo).isGreaterThan(KEYS * 1_000);
            }
            assertThat(pinned()).as("both kept the same files").isEqualTo(ofTwo);
            assertThat(Samples.rest(one)).isEqualTo(expected);
        }
        assertThat(pinned()).isZero();
        assertThat(Figures.of(engine).get(BROKEN_OFF)).isZero();
    }

    /// Together they would keep several times what the disk holds.
    @Test
    void theOldestScansGiveWayBeforeAWriteIsRefused() {
        List<Cursor> scans = new ArrayList<>();
        for (int round = 0; round < 60; round++) {
            write(round); // fails where a write is refused
            scans.add(engine.scan(Range.all()));
            assertThat(scans.getLast().next()).isTrue();
        }
        engine.awaitRest();
        assertBrokenOff(scans.getFirst());
        assertThat(Figures.of(engine).get(BROKEN_OFF)).isBetween(1.0, 59.0);
        assertThat(Samples.rest(scans.getLast())).hasSize(KEYS - 1);
        assertThat(pinned()).isLessThanOrEqualTo(CAPACITY_BYTES / 2);
        scans.forEach(Cursor::close);
    }

    /// The client of the scan takes nothing meanwhile.
    @Test
    void filesGoThatAnIdleScanKeepsWhenAnotherProgramFillsTheDisk() {
        write(0);
        try (Cursor idle = engine.scan(Range.all())) {
            assertThat(idle.next()).isTrue();
            byte[] last = idle.key();
            replaceAll(1);
            double kept = pinned();
            assertThat(kept).isPositive();
            long usedBytes = disk.usedBytes();
            disk.setUsableBytes(HEADROOM_BYTES - 1);
            patiently().until(() -> disk.usedBytes() <= usedBytes - (long) kept);
            assertThat(pinned()).isZero();
            assertThat(Figures.of(engine).get(BROKEN_OFF)).isEqualTo(1);
            assertThat(idle.key()).as("what was read is there").isEqualTo(last);
            assertBrokenOff(idle);
        }
        assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isZero();
    }

    @Test
    void aMergeGetsTheRoomThatItNeedsWhereScansKeepAsMuch() {
        write(0);
        try (Cursor idle = engine.scan(Range.all())) {
            replaceAll(1);
            long kept = (long) pinned();
            disk.setUsableBytes(HEADROOM_BYTES + 2 * kept);
            TableInstaller tables = TestEngines.store(engine).tables();
            assertThat(tables.refuseRoom(kept)).isNull();
            assertThat(tables.refuseRoom(4 * kept))
                    .as("more than there would be")
                    .isNotNull();
            assertThat(idle.next()).isTrue();
            patiently().until(() -> tables.refuseRoom(2 * kept + kept / 2) == null);
            assertBrokenOff(idle);
        }
    }

    /// A quota tells nothing before it is used up.
    @Test
    void aWriteThatMeetsAQuotaHasScansGiveWay() {
        engine.close();
        open(new SmallDisk(CAPACITY_BYTES).withQuota());
        write(0);
        try (Cursor idle = engine.scan(Range.all())) {
            replaceAll(1);
            disk.setUsableBytes(1_000);
            Samples.settle(engine, WriteBatch.of(Samples.put("large", "v".repeat(20_000))));
            patiently()
                    .until(() -> Samples.settle(engine, WriteBatch.of(Samples.put("large", "v".repeat(20_000))))
                                    .outcome()
                            == Write.Outcome.APPLIED);
            assertBrokenOff(idle);
        }
    }

    /// A checkpoint holds a version, and is no scan.
    @Test
    void whatACheckpointHoldsStaysOnAFullDisk() throws IOException {
        write(0);
        SuperVersions readers = TestEngines.store(engine).readers();
        engine.awaitRest();
        SuperVersion view = readers.acquire();
        try (Cursor idle = engine.scan(Range.all())) {
            replaceAll(1);
            disk.setUsableBytes(HEADROOM_BYTES - 1);
            patiently().until(() -> Figures.of(engine).get(BROKEN_OFF) == 1);
            disk.setUsableBytes(CAPACITY_BYTES);
            mergeAll(); // deletes what it may
            assertThat(disk.list()).containsAll(filesOf(view.version()));
            assertBrokenOff(idle);
        } finally {
            readers.release(view);
        }
    }

    private void assertBrokenOff(Cursor scan) {
        assertThatThrownBy(scan::next)
                .isInstanceOf(EngineException.Busy.class)
                .hasMessage("the scan kept files from being deleted whose room on the disk is needed and was broken"
                        + " off: continue after its last key");
    }

    private static List<String> filesOf(Version version) {
        List<String> files = new ArrayList<>();
        version.runs().forEach(run -> run.tableInfos().forEach(table -> files.add(FileNames.table(table.number()))));
        version.valueFileInfos().forEach(file -> files.add(FileNames.values(file.number())));
        assertThat(files).hasSizeGreaterThan(2);
        return files;
    }

    private double pinned() {
        return Figures.of(engine).get(PINNED);
    }

    /// Half of the values are kept out of tables.
    private void write(int round) {
        for (int key = 0; key < KEYS; key++) {
            String value = round + "v".repeat(key % 2 == 0 ? 500 : 5_000);
            Samples.write(engine, Samples.put("key-%03d".formatted(key), value));
        }
    }

    private void replaceAll(int round) {
        engine.awaitRest();
        write(round);
        mergeAll();
    }

    /// The second request is answered after what the first one made obsolete was deleted.
    private void mergeAll() {
        engine.awaitRest();
        FullCompaction merges = TestEngines.store(engine).fullCompaction();
        for (int i = 0; i < 2; i++) {
            long request = merges.request();
            TestEngines.store(engine).signal();
            patiently().until(() -> merges.isDone(request));
        }
    }

    private static LsmOptions options() {
        return SimOptions.of(1, "none", 32 << 10).with(o -> {
            o.headroomBytes = HEADROOM_BYTES;
            o.table = new TableOptions(4 << 10, 32 << 10);
            o.values = new ValueOptions(4 << 10, 64 << 10, 1.1);
            o.compaction = CompactionOptions.of(Leveled.above(32 << 10));
            o.manifestBytes = 8 << 10;
        });
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos()));
    }
}
