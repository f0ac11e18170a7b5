package kvant.lsm.operate;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Inspection;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SampleStores;
import kvant.lsm.TestEngines;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Universal;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.Levels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A compaction on demand leaves one run, without what is dead in it.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullCompactionTest {

    @TempDir
    Path folder;

    private final List<String> lines = new ArrayList<>();

    @Test
    void leavesOneRunAndNothingInMemory() {
        SortedMap<String, String> content = new TreeMap<>();
        try (LsmEngine engine = open()) {
            fill(engine, content, 0, 300);
            fill(engine, content, 100, 250);
            for (int i = 0; i < 50; i++) {
                Samples.write(engine, Samples.delete("key-%03d".formatted(i)));
                content.remove("key-%03d".formatted(i));
            }
            assertThat(TestEngines.store(engine).readers().current().version().runs())
                    .hasSizeGreaterThan(1);
            assertThat(TestEngines.store(engine).readers().current().active().isEmpty())
                    .isFalse();

            engine.maintenance().compact(lines::add);

            Inspection after = engine.maintenance().inspect();
            assertThat(after.runs()).hasSize(1);
            assertThat(after.runs().getFirst().records()).isEqualTo(content.size());
            assertThat(after.runs().getFirst().deletions()).isZero();
            assertThat(TestEngines.store(engine).readers().current().active().isEmpty())
                    .isTrue();
            assertThat(SampleStores.scan(engine)).isEqualTo(content);
        }
        try (LsmEngine engine = open()) {
            assertThat(SampleStores.scan(engine)).isEqualTo(content);
        }
    }

    @Test
    void mergesOneRunThatHoldsDeletions() {
        try (LsmEngine engine = open()) {
            Samples.write(engine, Samples.delete("a"), put("b", "v"));

            engine.maintenance().compact(lines::add);

            assertThat(engine.maintenance().inspect().runs().getFirst().deletions())
                    .isZero();
            assertThat(SampleStores.scan(engine)).containsOnlyKeys("b");
        }
    }

    @Test
    void anEmptyStoreAndAMergedOneAreDoneAtOnce() {
        try (LsmEngine engine = open()) {
            engine.maintenance().compact(lines::add);
            fill(engine, new TreeMap<>(), 0, 300);
            engine.maintenance().compact(lines::add);
            List<Inspection.Content> tables = engine.maintenance().inspect().tables();

            engine.maintenance().compact(lines::add);

            assertThat(engine.maintenance().inspect().tables())
                    .as("not written again")
                    .isEqualTo(tables);
        }
    }

    @Test
    void endsWhileWritesGoOn() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        try (LsmEngine engine = open();
                var writer = Executors.newSingleThreadExecutor();
                AutoCloseable _ = () -> stop.set(true)) {
            fill(engine, new TreeMap<>(), 0, 200);
            var writing = writer.submit(() -> {
                for (int i = 0; !stop.get(); i++) {
                    Samples.write(engine, put("other-" + i % 100, "v".repeat(300)));
                }
            });
            engine.maintenance().compact(lines::add);
            engine.maintenance().compact(lines::add);
            stop.set(true);
            writing.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void theEndOfTheEngineBreaksItOff() throws Exception {
        LsmEngine engine = open();
        fill(engine, new TreeMap<>(), 0, 300);
        try (var thread = Executors.newSingleThreadExecutor()) {
            TestEngines.store(engine).beginClose(); // as the end does, and then the compaction thread works no more
            var compaction = thread.submit(() -> engine.maintenance().compact(lines::add));
            assertThatThrownBy(compaction::get).hasCauseInstanceOf(EngineException.Closed.class);
        }
        engine.close();
    }

    @Test
    void aFullDiskIsSaid() {
        try (LsmEngine engine =
                LsmEngine.open(folder.resolve("data"), options().with(o -> o.headroomBytes = Long.MAX_VALUE))) {
            assertThatThrownBy(() -> {
                        TestEngines.store(engine)
                                .readers()
                                .current()
                                .active()
                                .add(1, 1, Samples.bytes("k"), Samples.bytes("v"), 0);
                        engine.maintenance().compact(lines::add);
                    })
                    .isInstanceOf(EngineException.StorageFull.class);
        }
    }

    /// Its caller may be gone, and a merge that cannot succeed would keep all others from running.
    @Test
    void aMergeThatHasFailedIsNotTriedAgainByItself() {
        SimStorage storage = new SimStorage();
        try (LsmEngine engine = TestEngines.open(storage, options())) {
            fill(engine, new TreeMap<>(), 0, 300);
            engine.awaitRest();
            FullCompaction merges = TestEngines.store(engine).fullCompaction();
            storage.fail(new Faults(Faults.Kind.EIO, call -> call.file().endsWith(".table")));
            long failing = merges.request();
            TestEngines.store(engine).signal();
            await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                    .untilAsserted(() ->
                            assertThatThrownBy(() -> merges.isDone(failing)).hasMessageContaining("injected"));
            assertThat(merges.pending()).isZero();

            storage.fail(Faults.NONE);
            long succeeding = merges.request();
            TestEngines.store(engine).signal();
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> merges.isDone(succeeding));
            assertThat(TestEngines.store(engine).readers().current().version().runs())
                    .hasSize(1);
        }
    }

    /// Each part stays: a repeated request continues after it, also after a restart.
    @Test
    void whatABrokenOffCompactionHasMergedIsNotMergedAgain() {
        SimStorage storage = new SimStorage();
        Set<Long> merged;
        try (LsmEngine engine = TestEngines.open(storage, inParts())) {
            twoLevels(engine);
            AtomicInteger tables = new AtomicInteger();
            storage.fail(new Faults(
                    Faults.Kind.EIO,
                    call -> call.operation() == Call.Operation.CREATE
                            && call.file().endsWith(".table")
                            && tables.incrementAndGet() > 12));
            FullCompaction merges = TestEngines.store(engine).fullCompaction();
            long failing = merges.request();
            TestEngines.store(engine).signal();
            await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                    .untilAsserted(() ->
                            assertThatThrownBy(() -> merges.isDone(failing)).hasMessageContaining("injected"));
            merged = lastLevel(engine);
            storage.fail(Faults.NONE);
        }
        try (LsmEngine engine = TestEngines.open(storage, inParts())) {
            merged.retainAll(lastLevel(engine));
            Set<Long> upper = numbers(engine, 0);
            upper.removeAll(lastLevel(engine));
            assertThat(upper).as("left to do").isNotEmpty();
            FullCompaction merges = TestEngines.store(engine).fullCompaction();
            long request = merges.request();
            TestEngines.store(engine).signal();
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> merges.isDone(request));
            assertThat(TestEngines.store(engine).readers().current().version().runs())
                    .hasSize(1);
            assertThat(lastLevel(engine)).as("merged before").containsAnyElementsOf(merged);
        }
    }

    @Test
    void isCarriedOutInPartsEachOfWhichIsInstalled() {
        SimStorage storage = new SimStorage();
        try (LsmEngine engine = TestEngines.open(storage, inParts())) {
            twoLevels(engine);
            double before = Figures.of(engine).get("kvant_lsm_compactions_total");
            FullCompaction merges = TestEngines.store(engine).fullCompaction();
            long request = merges.request();
            TestEngines.store(engine).signal();
            await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> merges.isDone(request));
            assertThat(Figures.of(engine).get("kvant_lsm_compactions_total") - before)
                    .isGreaterThan(5);
            assertThat(Figures.of(engine).get("kvant_lsm_full_compaction_bytes{state,left}"))
                    .as("when it is done")
                    .isZero();
        }
    }

    /// From the first part on that has ended.
    @Test
    void saysAboutHowLongItStillTakes() {
        Path data = folder.resolve("data");
        try (LsmEngine engine = LsmEngine.open(data, inParts())) {
            twoLevels(engine);
        }
        LsmOptions slow = inParts()
                .with(o -> o.compaction = // three seconds
                        new CompactionOptions(o.compaction.picker(), 1, 15_000));
        try (LsmEngine engine = LsmEngine.open(data, slow)) {
            engine.maintenance().compact(lines::add);
        }
        assertThat(lines).anyMatch(line -> line.matches("merged \\d+ kB of \\d+ kB, about \\d+ s left"));
    }

    /// Parts of a few tables; the only merges are requested ones.
    private static LsmOptions inParts() {
        return options().with(o -> {
            o.memtableBytes = 1 << 20;
            o.table = new TableOptions(256, 2_000);
            o.compaction = CompactionOptions.of(new Leveled(1_000, 8_000, 1_000));
        });
    }

    /// Level 6 by a full compaction, and a run above it.
    private static void twoLevels(LsmEngine engine) {
        FullCompaction merges = TestEngines.store(engine).fullCompaction();
        for (int run = 0; run < 2; run++) {
            fill(engine, new TreeMap<>(), 0, 200);
            TestEngines.store(engine).requestSeal(true);
            Samples.write(engine, Samples.delete("none"));
            engine.awaitRest();
            if (run == 0) {
                long request = merges.request();
                TestEngines.store(engine).signal();
                await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> merges.isDone(request));
            }
        }
    }

    private static Set<Long> lastLevel(LsmEngine engine) {
        return numbers(engine, Levels.runOf(Levels.LAST));
    }

    /// @param run 0 for all
    private static Set<Long> numbers(LsmEngine engine, long run) {
        return TestEngines.store(engine).readers().current().version().runs().stream()
                .filter(each -> run == 0 || each.id() == run)
                .flatMap(each -> each.tableInfos().stream())
                .map(TableInfo::number)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void fill(LsmEngine engine, SortedMap<String, String> content, int from, int to) {
        for (int i = from; i < to; i++) {
            String key = "key-%03d".formatted(i);
            content.put(key, from + " value " + i + "x".repeat(200));
            Samples.write(engine, put(key, content.get(key)));
        }
    }

    private LsmEngine open() {
        return LsmEngine.open(folder.resolve("data"), options());
    }

    private static LsmOptions options() {
        return LsmOptions.defaults().with(o -> {
            o.memtableBytes = 16 << 10;
            o.table = new TableOptions(1 << 10, 16 << 10);
            o.durability = Durability.NONE;
            o.throttle = new WriteThrottle(
                    Duration.ofSeconds(20),
                    Duration.ZERO,
                    Duration.ofSeconds(9),
                    1_000,
                    2_000,
                    Long.MAX_VALUE - 1,
                    Long.MAX_VALUE);
            o.compaction = CompactionOptions.of(new Universal(1_000, 1_000)); // merges nothing by itself
        });
    }
}
