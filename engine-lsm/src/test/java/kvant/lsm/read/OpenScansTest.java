package kvant.lsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Crew;
import kvant.engine.Cursor;
import kvant.engine.EngineException;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.LsmParts;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;

/// The number of open ranges is bounded: each takes memory, whatever it pins.
class OpenScansTest {

    private static final int MOST = 3;
    private static final int EVERY_GROUP = 1;
    private static final byte[] BEHIND_ALL = Samples.bytes("z");

    /// In the first data block of a table, behind the header.
    private static final long FIRST_BLOCK_BIT = 8 * (16 + 14);

    @Test
    void oneTooManyIsRefusedUntilAnotherHasEnded() {
        try (LsmEngine engine = open()) {
            Samples.write(engine, Samples.put("a", "1"));
            List<Cursor> scans = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                scans.add(engine.scan(Range.all()));
            }
            assertThatThrownBy(() -> engine.scan(Range.all()))
                    .isInstanceOf(EngineException.Busy.class)
                    .hasMessage("3 ranges are open, and no more may be: try again when some of them have ended");
            assertThat(Samples.get(engine, "a")).as("other reads continue").isEqualTo("1");
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isEqualTo(MOST);
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots_refused_total"))
                    .isEqualTo(1);
            scans.getFirst().close();
            scans.getFirst().close(); // gives nothing back
            scans.set(0, engine.scan(Range.all()));
            assertThatThrownBy(() -> engine.scan(Range.all())).isInstanceOf(EngineException.Busy.class);
            scans.forEach(Cursor::close);
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isZero();
        }
    }

    @Test
    void aRangeThatCannotBeginGivesItsPlaceBackOnce() {
        HeapStorage storage = new HeapStorage();
        try (LsmEngine engine = open(storage)) {
            for (int i = 0; i < 20; i++) {
                Samples.write(engine, Samples.put("key%02d".formatted(i), "value"));
            }
            engine.awaitRest();
            List<Cursor> scans = new ArrayList<>(List.of(engine.scan(BEHIND_ALL, null)));
            storage.list().stream()
                    .filter(file -> FileNames.tableNumber(file) != null)
                    .forEach(file -> storage.flipBit(file, FIRST_BLOCK_BIT));
            for (int i = 0; i < 2 * MOST; i++) {
                assertThatThrownBy(() -> engine.scan(Range.all())).isInstanceOf(EngineException.Corruption.class);
            }
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isEqualTo(1);
            while (scans.size() < MOST) {
                scans.add(engine.scan(BEHIND_ALL, null)); // reads no block
            }
            assertThatThrownBy(() -> engine.scan(BEHIND_ALL, null)).isInstanceOf(EngineException.Busy.class);
            scans.forEach(Cursor::close);
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isZero();
        }
    }

    /// Some scans are opened a second time, because a memtable was flushed in between.
    @Test
    void noPlaceIsLostWhileMemtablesAreFlushed() throws InterruptedException {
        AtomicInteger shown = new AtomicInteger();
        try (LsmEngine engine = open()) {
            Crew.runAll(MOST, number -> {
                for (int i = 0; i < 300; i++) {
                    if (number == 0) {
                        Samples.write(engine, Samples.put("key" + i, "value"));
                    }
                    try (Cursor scan = engine.scan(Range.all())) {
                        shown.addAndGet(scan.next() ? 1 : 0);
                    }
                }
            });
            assertThat(shown.get()).isPositive();
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isZero();
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots_refused_total"))
                    .isZero();
        }
    }

    /// As for want of memory, behind the moment at which the place is taken.
    @Test
    void anErrorWhileARangeIsOpenedGivesThePlaceBackOnce() {
        AtomicBoolean fails = new AtomicBoolean();
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), options(), comparedWithErrors(fails))) {
            Samples.write(engine, Samples.put("a", "1"));
            engine.awaitRest();
            fails.set(true);
            for (int i = 0; i < 2 * MOST; i++) {
                assertThatThrownBy(() -> engine.scan(Range.all())).isInstanceOf(OutOfMemoryError.class);
            }
            fails.set(false);
            assertThat(Figures.of(engine).get("kvant_lsm_snapshots")).isZero();
            List<Cursor> scans = new ArrayList<>();
            while (scans.size() < MOST) {
                scans.add(engine.scan(Range.all()));
            }
            assertThatThrownBy(() -> engine.scan(Range.all())).isInstanceOf(EngineException.Busy.class);
            scans.forEach(Cursor::close);
        }
    }

    /// Memtables whose comparison with others fails at times.
    private static LsmParts comparedWithErrors(AtomicBoolean fails) {
        return new LsmParts() {
            @Override
            public Memtable memtable(long expectedBytes) {
                Memtable real = new ArenaMemtable(expectedBytes);
                return (Memtable) Proxy.newProxyInstance(
                        Memtable.class.getClassLoader(),
                        new Class<?>[] {Memtable.class},
                        (proxy, method, arguments) -> {
                            if (!method.getName().equals("equals")) {
                                return method.invoke(real, arguments);
                            }
                            if (fails.get()) {
                                throw new OutOfMemoryError("simulated");
                            }
                            return proxy == arguments[0];
                        });
            }
        };
    }

    private static LsmEngine open() {
        return open(new HeapStorage());
    }

    private static LsmEngine open(HeapStorage storage) {
        return TestEngines.open(storage, options());
    }

    private static LsmOptions options() {
        return SimOptions.of(1, "none", EVERY_GROUP).with(o -> o.maxOpenScans = MOST);
    }
}
