package kvant.lsm.recover;

import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A log that holds far more than a memtable: it is replayed into several runs.
class ReplayTest {

    private static final int WRITES = 150;
    private static final int LARGE_MEMTABLE_BYTES = 1 << 20;
    private static final int SMALL_MEMTABLE_BYTES = 8 << 10;
    private static final int FEWEST_RUNS = 5;

    /// Nothing is merged, so that each run stays to be seen.
    private static final int MOST_RUNS = 1_000;

    private SimStorage image = new SimStorage();
    private List<Samples.Entry> content = List.of();

    @BeforeEach
    void writeALog() {
        SimStorage storage = new SimStorage();
        try (LsmEngine engine = open(storage, LARGE_MEMTABLE_BYTES)) {
            for (int i = 0; i < WRITES; i++) {
                int key = i < WRITES / 3 ? i : WRITES / 3 + i % (WRITES / 3); // the first ones are written once
                write(engine, put("key" + key, "v".repeat(500) + i));
            }
            content = scan(engine, "", null);
            image = storage.killed();
        }
    }

    @Test
    void memoryIsBoundedByRuns() {
        try (LsmEngine engine = open(image, SMALL_MEMTABLE_BYTES)) {
            assertThat(engine.recovery().mutations()).isEqualTo(WRITES);
            assertThat(engine.recovery().tables()).isBetween(FEWEST_RUNS, WRITES);
            assertThat(scan(engine, "", null)).isEqualTo(content);
        }
    }

    @Test
    void aCrashAtAnyCallLosesNothing() {
        List<SimStorage> left = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(1);
        image.observe(call -> left.add(random.nextBoolean() ? image.killed() : image.crashed(random)));
        open(image, SMALL_MEMTABLE_BYTES).close();
        image.observe(_ -> {});

        assertThat(left).hasSizeGreaterThan(5 * FEWEST_RUNS);
        for (SimStorage each : left) {
            int memtableBytes = random.nextBoolean() ? SMALL_MEMTABLE_BYTES : LARGE_MEMTABLE_BYTES;
            try (LsmEngine engine = open(each, memtableBytes)) {
                assertThat(scan(engine, "", null)).isEqualTo(content);
            }
        }
    }

    /// Tables are written by a thread of their own: what it meets arrives where the store is opened.
    @Test
    void aTableThatCannotBeWrittenKeepsTheStoreClosed() {
        int failures = 0;
        for (Faults.Kind kind : Faults.Kind.values()) {
            for (int skipped = 0; skipped < FEWEST_RUNS; skipped++) {
                SimStorage damaged = image.killed();
                int[] left = {skipped};
                damaged.fail(new Faults(kind, call -> call.file().endsWith(".table") && left[0]-- == 0));
                assertThatThrownBy(() -> open(damaged, SMALL_MEMTABLE_BYTES))
                        .isInstanceOfAny(EngineException.class, IllegalStateException.class);
                assertThat(damaged.openFiles()).as("files left open").isZero();
                assertThat(damaged.openMaps()).as("mappings left open").isZero();
                failures++;

                damaged.fail(Faults.NONE);
                try (LsmEngine engine = open(damaged, SMALL_MEMTABLE_BYTES)) {
                    assertThat(scan(engine, "", null)).isEqualTo(content);
                }
            }
        }
        assertThat(failures).isEqualTo(Faults.Kind.values().length * FEWEST_RUNS);
    }

    /// Each log names the one before it, also where that holds nothing.
    @Test
    void anEmptyLogBetweenTwoThatStayStaysWithThem() {
        SimStorage storage = new SimStorage();
        try (LsmEngine engine = open(storage, LARGE_MEMTABLE_BYTES)) {
            write(engine, put("a", "1"));
        }
        storage.fail(new Faults(Faults.Kind.EIO, call -> call.file().endsWith(".table")));
        try (LsmEngine engine = open(storage, LARGE_MEMTABLE_BYTES)) {
            TestEngines.store(engine)
                    .operators()
                    .requests()
                    .requestSeal(true); // before anything is in the log of this start
            write(engine, put("b", "2"));
        }
        for (int start = 0; start < 3; start++) {
            try (LsmEngine engine = open(start % 2 == 0 ? storage : storage.killed(), LARGE_MEMTABLE_BYTES)) {
                assertThat(Samples.keys(scan(engine, "", null)))
                        .as("start %d", start)
                        .containsExactly("a", "b");
            }
        }
    }

    private static LsmEngine open(SimStorage storage, int memtableBytes) {
        LsmOptions options = SimOptions.of(1, "always", memtableBytes).with(o -> {
            o.table = new TableOptions(1 << 10, 1 << 20).withCache(256 << 10);
            o.compaction = CompactionOptions.of(new Leveled(MOST_RUNS, 1 << 20, 10));
        });
        return TestEngines.open(storage, options);
    }
}
