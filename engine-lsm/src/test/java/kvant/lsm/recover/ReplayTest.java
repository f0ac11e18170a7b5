package kvant.lsm.recover;

import static java.util.Objects.requireNonNull;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.BlockedTables;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A log that holds far more than a memtable: it is replayed into several runs.
class ReplayTest {

    private static final int WRITES = 150;
    private static final int LARGE_MEMTABLE_BYTES = 1 << 20;
    private static final int SMALL_MEMTABLE_BYTES = 8 << 10;
    private static final int LARGE_BATCH_BYTES = 12 << 20;
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
                        .isInstanceOfAny(EngineException.class, IllegalStateException.class)
                        .hasMessageNotContaining("neither written nor refused");
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

    /// A thread that ends without a run must not look like one that had nothing to write.
    @Test
    void anErrorOfAThreadKeepsTheStoreClosed() {
        SimStorage whole = image.killed();
        boolean[] thrown = {false};
        image.observe(call -> {
            if (call.file().endsWith(".table") && call.operation() == Call.Operation.WRITE && !thrown[0]) {
                thrown[0] = true;
                throw new OutOfMemoryError("in a test");
            }
        });
        assertThatThrownBy(() -> open(image, SMALL_MEMTABLE_BYTES)).isInstanceOf(OutOfMemoryError.class);
        image.observe(_ -> {});

        for (SimStorage each : List.of(image, whole)) {
            try (LsmEngine engine = open(each, SMALL_MEMTABLE_BYTES)) {
                assertThat(scan(engine, "", null)).isEqualTo(content);
            }
        }
    }

    /// Leftovers of a failed write must not fill the disk further.
    @Test
    void noTableStaysWhereAnotherCouldNotBeWritten() {
        int[] left = {1};
        image.fail(new Faults(
                Faults.Kind.ENOSPC,
                call -> call.file().endsWith(".table") && call.operation() == Call.Operation.WRITE && left[0]-- == 0));
        assertThatThrownBy(() -> open(image, SMALL_MEMTABLE_BYTES)).isInstanceOf(EngineException.class);
        image.fail(Faults.NONE);

        assertThat(image.files()).noneMatch(file -> file.endsWith(".table") && !isNamed(file));
    }

    /// One batch of more than memory should take is divided among runs, and is whole again after a crash between two.
    @Test
    void aLargeBatchIsDividedAmongRuns() {
        SimStorage storage = new SimStorage();
        List<Mutation> batch = new ArrayList<>();
        for (int i = 0; i < LARGE_BATCH_BYTES / 1_000; i++) {
            batch.add(put("key%06d".formatted(i), "v".repeat(1_000)));
        }
        try (LsmEngine engine = open(storage, 2 * LARGE_BATCH_BYTES)) {
            write(engine, WriteBatch.of(batch));
        }
        List<SimStorage> left = new ArrayList<>();
        storage.observe(call -> {
            boolean named =
                    call.operation() == Call.Operation.SYNC && call.file().startsWith(FileNames.MANIFEST);
            if (named && left.isEmpty() && storage.files().stream().anyMatch(ReplayTest::isTable)) {
                left.add(storage.killed()); // the first run is there, or about to be
            }
        });
        try (LsmEngine engine = open(storage, SMALL_MEMTABLE_BYTES)) {
            assertThat(TestEngines.store(engine).readers().current().version().runs())
                    .hasSizeGreaterThan(1);
        }
        storage.observe(_ -> {});
        try (LsmEngine engine = open(left.getFirst(), SMALL_MEMTABLE_BYTES)) {
            assertThat(scan(engine, "", null)).hasSize(batch.size());
        }
    }

    private static boolean isTable(String file) {
        return file.endsWith(".table");
    }

    private boolean isNamed(String table) {
        try {
            return Manifest.read(image).hasTable(requireNonNull(FileNames.tableNumber(table)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// However slow the disk is: what is read waits.
    @Test
    void twoRunsAreWrittenAtTheSameTimeAndNoMore() throws InterruptedException {
        BlockedTables slow = new BlockedTables(image);
        Thread opener = Thread.ofPlatform()
                .start(() ->
                        TestEngines.open(slow, options(SMALL_MEMTABLE_BYTES)).close());
        try {
            await().until(() -> isWaitingForARun(opener));
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().startsWith("kvant-lsm-replay-"))
                    .hasSize(2);
        } finally {
            slow.release();
            opener.join();
        }
    }

    private static boolean isWaitingForARun(Thread opener) {
        return Stream.of(opener.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(ReplayFlush.class.getName())
                        && frame.getMethodName().equals("await"));
    }

    /// A log that ended twice would count twice against what is kept for those who follow changes.
    @Test
    void everyLogEndsOnce() throws IOException {
        SimStorage storage = new SimStorage();
        storage.fail(new Faults(Faults.Kind.EIO, call -> call.file().endsWith(".table")));
        try (LsmEngine engine = open(storage, LARGE_MEMTABLE_BYTES)) {
            for (int i = 0; i < WRITES; i++) {
                write(engine, put("key" + i, "v".repeat(500)));
                if (i == WRITES / 3) {
                    TestEngines.store(engine).requestSeal(true);
                }
            }
            content = scan(engine, "", null);
            image = storage.killed();
        }
        image.fail(Faults.NONE);
        LsmOptions options = options(SMALL_MEMTABLE_BYTES).with(o -> o.retainedLogBytes = 1 << 30);
        try (LsmEngine engine = TestEngines.open(image, options)) {
            Set<Long> named = Manifest.read(image).logs();
            List<Long> kept = image.files().stream()
                    .map(FileNames::logNumber)
                    .filter(log -> log != null && !named.contains(log))
                    .toList();
            assertThat(kept).hasSizeGreaterThan(1);
            assertThat(TestEngines.store(engine).retainedLogBytes())
                    .isEqualTo(kept.stream().mapToLong(this::keptBytes).sum());
            assertThat(scan(engine, "", null)).isEqualTo(content);
        }
    }

    /// A short log counts as 64 KiB.
    private long keptBytes(long log) {
        try {
            return Math.max(64 << 10, image.size(FileNames.log(log)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
            TestEngines.store(engine).requestSeal(true); // before anything is in the log of this start
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
        return TestEngines.open(storage, options(memtableBytes));
    }

    private static LsmOptions options(int memtableBytes) {
        return SimOptions.of(1, "always", memtableBytes).with(o -> {
            o.table = new TableOptions(1 << 10, 1 << 20).withCache(256 << 10);
            o.compaction = CompactionOptions.of(new Leveled(MOST_RUNS, 1 << 20, 10));
        });
    }
}
