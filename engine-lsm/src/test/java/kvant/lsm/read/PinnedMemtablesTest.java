package kvant.lsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Universal;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Scans let go of the memtables that are flushed, see what they saw before, and hold no more memory than they may.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PinnedMemtablesTest {

    private static final int KEYS = 60;
    private static final int SCANS = 20;
    private static final String PINNED = "kvant_lsm_snapshot_pinned_bytes";
    private static final String BROKEN_OFF = "kvant_lsm_snapshots_broken_off_total";

    /// A scan that takes its time, and what it has to show.
    private record SlowScan(Cursor cursor, List<Samples.Entry> expected, List<Samples.Entry> seen) {

        void read() {
            if (cursor.next()) {
                seen.add(new Samples.Entry(Samples.text(cursor.key()), Samples.text(cursor.value()), cursor.version()));
            }
        }
    }

    private final SimStorage storage = new SimStorage();
    private int writes;

    @Test
    void slowScansShowTheirSnapshotsWhileTheirMemtablesAreFlushed() {
        try (LsmEngine engine = open(1 << 20)) {
            List<SlowScan> scans = new ArrayList<>();
            for (int i = 0; i < SCANS; i++) {
                write(engine, 150);
                scans.add(new SlowScan(
                        engine.scan(new byte[0], null), Samples.scan(engine, "", null), new ArrayList<>()));
                write(engine, 150); // the rest of the memtable, which the scan does not see
                scans.forEach(SlowScan::read);
                assertThat(Figures.of(engine).get(PINNED)).isLessThanOrEqualTo(1 << 20);
            }
            for (SlowScan scan : scans) {
                scan.seen().addAll(Samples.rest(scan.cursor()));
                scan.cursor().close();
                assertThat(scan.seen()).isEqualTo(scan.expected());
            }
            assertThat(Figures.of(engine).get(BROKEN_OFF)).isZero();
            engine.awaitRest();
        }
        assertThat(storage.openMaps()).isZero();
    }

    @Test
    void aScanThatNobodyReadsHoldsNoMemtable() {
        try (LsmEngine engine = open(1 << 20)) {
            write(engine, KEYS);
            List<Samples.Entry> expected = Samples.scan(engine, "", null);
            try (Cursor idle = engine.scan(new byte[0], null)) {
                WeakReference<Memtable> memtable = new WeakReference<>(
                        TestEngines.store(engine).readers().current().active());
                write(engine, 1_000);
                await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> {
                    System.gc();
                    return memtable.refersTo(null);
                });
                assertThat(Samples.rest(idle)).isEqualTo(expected);
            }
        }
    }

    /// There is no room for the memory that it would need besides the tables.
    @Test
    void aScanThatCannotMoveOnIsBrokenOffAboveTheBound() {
        try (LsmEngine engine = open(0);
                Cursor cursor = scanThatCannotMoveOn(engine).cursor()) {
            await().until(() -> Figures.of(engine).get(BROKEN_OFF) == 1);
            assertThatThrownBy(cursor::next)
                    .isInstanceOf(EngineException.Busy.class)
                    .hasMessageContaining("continue after its last key");
            assertThat(Figures.of(engine).get(PINNED)).isZero();
        }
    }

    @Test
    void aScanThatCannotMoveOnKeepsItsMemtableBelowTheBound() {
        try (LsmEngine engine = open(64 << 20)) {
            SlowScan scan = scanThatCannotMoveOn(engine);
            assertThat(Figures.of(engine).get(PINNED)).isPositive();
            assertThat(Samples.rest(scan.cursor())).isEqualTo(scan.expected());
            scan.cursor().close();
            assertThat(Figures.of(engine).get(PINNED)).isZero();
            assertThat(Figures.of(engine).get(BROKEN_OFF)).isZero();
        }
    }

    private SlowScan scanThatCannotMoveOn(LsmEngine engine) {
        write(engine, KEYS);
        List<Samples.Entry> expected = Samples.scan(engine, "", null);
        Cursor cursor = engine.scan(new byte[0], null);
        AtomicInteger tables = new AtomicInteger();
        storage.fail(new Faults(
                Faults.Kind.ENOSPC,
                call -> call.operation() == Call.Operation.CREATE
                        && FileNames.tableNumber(call.file()) != null
                        && tables.incrementAndGet() == 2));
        Memtable held = TestEngines.store(engine).readers().current().active();
        while (TestEngines.store(engine).readers().current().active() == held) {
            write(engine, KEYS);
        }
        await().until(() -> engineTold(engine));
        storage.fail(Faults.NONE);
        assertThat(storage.faultsHit()).isEqualTo(1);
        return new SlowScan(cursor, expected, new ArrayList<>());
    }

    private static boolean engineTold(LsmEngine engine) {
        Figures figures = Figures.of(engine);
        return figures.get(PINNED) > 0 || figures.get(BROKEN_OFF) > 0;
    }

    private LsmEngine open(long maxPinnedBytes) {
        LsmOptions options = LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .with(o -> {
                    o.memtableBytes = 300 << 10;
                    o.table = new TableOptions(512, 10 << 20);
                    o.compaction = CompactionOptions.of(new Universal(4, 8));
                    o.headroomBytes = 0;
                    o.maxPinnedMemtableBytes = maxPinnedBytes;
                });
        return TestEngines.open(storage, options);
    }

    /// The same keys over and over, so that a memtable has many versions of each.
    private void write(LsmEngine engine, int count) {
        for (int i = 0; i < count; i++) {
            int number = writes++;
            String key = "key-%03d".formatted(number % KEYS);
            Samples.write(
                    engine,
                    number % 7 == 0 ? Samples.delete(key) : Samples.put(key, "value " + number + "x".repeat(1_000)));
        }
    }
}
