package kvant.lsm.background;

import static kvant.engine.Samples.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import kvant.engine.EngineException;
import kvant.engine.Health;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.engine.WriteBatch;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.Seeds;
import kvant.lsm.SimOptions;
import kvant.lsm.TestEngines;
import kvant.lsm.commit.WriteThrottle;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.store.FullCompaction;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableProperties;
import kvant.lsm.version.Run;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One block of one table has changed on the disk: its keys are lost, and nothing else is.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedTableTest {

    private static final long SEED = Seeds.seed(93);
    private static final int EVERY_GROUP = 1;
    private static final int KEYS = 300;
    private static final int SLOW_RUNS = 20;

    /// For several records besides filter and index.
    private static final int TABLE_BYTES = 1_000;

    /// In the first data block, behind the header.
    private static final long BIT = 8 * (16 + 14);

    /// Every merge of level 0 meets the damage.
    private static final Leveled ALL_IN_ONE_LEVEL = new Leveled(4, 1 << 20, 4);

    private final HeapStorage storage = new HeapStorage();
    private final Map<String, String> content = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(SEED);

    /// Every other key is written once, so that the damaged block keeps something that nothing newer hides.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void otherTablesAreMergedAndWritesGoOn(boolean leveled) {
        try (LsmEngine engine = open(leveled ? ALL_IN_ONE_LEVEL : new Universal(4, 8))) {
            fill(engine);
            long damaged = damageOldest(engine);
            double merges = figure(engine, "kvant_lsm_compactions_total");

            write(engine, 600);
            patiently()
                    .until(
                            () -> { // by size, the oldest run waits until as much lies above it
                                write(engine, 10);
                                return figure(engine, "kvant_lsm_quarantined_tables") == 1;
                            });
            engine.awaitRest();

            assertThat(figure(engine, "kvant_lsm_quarantined_tables")).isEqualTo(1);
            assertThat(figure(engine, "kvant_lsm_runs")).isLessThan(SLOW_RUNS);
            assertThat(figure(engine, "kvant_lsm_compactions_total") - merges).isGreaterThan(20);
            assertThat(TestEngines.store(engine).health().quarantine().tables()).containsExactly(damaged);

            assertThat(unreadable(engine)).isEqualTo(1);
            Health.Check check = compactionCheck(engine);
            assertThat(check.ok()).isTrue();
            assertThat(check.detail()).contains(FileNames.table(damaged), "damaged at offset");
        }
    }

    /// With leveled merging, tables next to the damaged range do not stay in level 0.
    @Test
    void whatOverlapsNothingDamagedGoesDown() {
        try (LsmEngine engine = open(ALL_IN_ONE_LEVEL)) {
            fill(engine);
            damageOldest(engine);
            write(engine, 900);
            engine.awaitRest();
            double zero = figure(engine, "kvant_lsm_level_bytes{level,0}");
            double all = 0;
            for (int level = 0; level <= 6; level++) {
                all += figure(engine, "kvant_lsm_level_bytes{level," + level + "}");
            }
            assertThat(zero / all).as("seed %d: share of level 0", SEED).isLessThan(0.6);
        }
    }

    @Test
    void aTableThatCanBeReadAgainTakesPartInMergesAgain() {
        try (LsmEngine engine = open(ALL_IN_ONE_LEVEL)) {
            fill(engine);
            long damaged = damageOldest(engine);
            patiently().until(() -> {
                write(engine, 10);
                return figure(engine, "kvant_lsm_quarantined_tables") == 1;
            });
            storage.flipBit(FileNames.table(damaged), BIT);
            patiently().until(() -> figure(engine, "kvant_lsm_quarantined_tables") == 0);
            patiently().until(() -> {
                write(engine, 10);
                return !storage.list().contains(FileNames.table(damaged));
            });
            assertThat(unreadable(engine)).isZero();
        }
    }

    @Test
    void writesThatStopForItSayWhy() {
        LsmOptions impatient = options(ALL_IN_ONE_LEVEL)
                .with(o -> o.throttle = new WriteThrottle(
                        Duration.ofSeconds(20), Duration.ZERO, Duration.ofMillis(50), 2, 5, 16L << 30, 64L << 30));
        try (LsmEngine engine = TestEngines.open(storage, impatient)) {
            AtomicReference<EngineException> refusal = new AtomicReference<>();
            patiently().until(() -> {
                damageAll(engine); // so that no two of them can be merged
                refusal.set(
                        Samples.settle(engine, WriteBatch.of(put(key(0), "w"))).failure());
                return refusal.get() instanceof EngineException.Busy;
            });
            assertThat(refusal.get())
                    .hasMessageContaining("wait for their compaction")
                    .hasMessageContaining("by hand");
        }
    }

    @Test
    void readsOfTheDamagedBlockFailAndSayWhere() {
        try (LsmEngine engine = open(new Universal(2, 3))) {
            fill(engine);
            TableInfo oldest = oldest(engine);
            damageOldest(engine);
            byte[] first = run(engine)
                    .tableProperties()
                    .get(run(engine).tableInfos().indexOf(oldest))
                    .smallestKey();
            assertThatThrownBy(() -> engine.get(first))
                    .isInstanceOf(EngineException.Corruption.class)
                    .hasMessageContaining(FileNames.table(oldest.number()));
        }
    }

    private void damageAll(LsmEngine engine) {
        TestEngines.store(engine).readers().current().version().runs().stream()
                .flatMap(run -> run.tableInfos().stream())
                .forEach(table -> TestEngines.store(engine)
                        .health()
                        .quarantine()
                        .failed(table.number(), new EngineException.Corruption("a file", 7, "by hand")));
    }

    private void fill(LsmEngine engine) {
        Mutation[] all = new Mutation[KEYS];
        for (int i = 0; i < KEYS; i++) {
            content.put(key(i), "first " + "x".repeat(60));
            all[i] = put(key(i), content.get(key(i)));
        }
        Samples.write(engine, all);
        Samples.write(engine, Samples.delete("none")); // flushes what came before
        FullCompaction merges = TestEngines.store(engine).fullCompaction();
        engine.awaitRest();
        long request = merges.request();
        TestEngines.store(engine).signal();
        patiently().until(() -> merges.isDone(request));
    }

    private void write(LsmEngine engine, int count) {
        for (int i = 0; i < count; i++) {
            write(engine, key(1 + 2 * random.nextInt(KEYS / 2)));
        }
    }

    private void write(LsmEngine engine, String key) {
        String value = "value " + random.nextInt() + "x".repeat(60);
        content.put(key, value);
        Samples.write(engine, put(key, value));
    }

    /// @return the number of the table
    private long damageOldest(LsmEngine engine) {
        long number = oldest(engine).number();
        storage.flipBit(FileNames.table(number), BIT);
        return number;
    }

    /// A table that merges will want, and whose first block has a key that is not written again.
    private static TableInfo oldest(LsmEngine engine) {
        Run run = run(engine);
        for (int i = 0; i < run.tableInfos().size(); i++) {
            TableProperties table = run.tableProperties().get(i);
            if (table.records() > 3
                    && Integer.parseInt(Samples.text(table.smallestKey()).substring(4)) % 2 == 0) {
                return run.tableInfos().get(i);
            }
        }
        throw new AssertionError("no such table");
    }

    private static Run run(LsmEngine engine) {
        return TestEngines.store(engine).readers().current().version().runs().getLast();
    }

    private int unreadable(LsmEngine engine) {
        int count = 0;
        for (int i = 0; i < KEYS; i++) {
            try {
                assertThat(Samples.get(engine, key(i))).as(key(i)).isEqualTo(content.get(key(i)));
            } catch (EngineException.Corruption _) {
                count++;
            }
        }
        return count;
    }

    private static Health.Check compactionCheck(LsmEngine engine) {
        return engine.health().checks().stream()
                .filter(check -> check.name().equals("compaction"))
                .findFirst()
                .orElseThrow();
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos()));
    }

    private static double figure(LsmEngine engine, String name) {
        return Figures.of(engine).get(name);
    }

    private static String key(int number) {
        return "key-%04d".formatted(number);
    }

    private LsmEngine open(Picker picker) {
        return TestEngines.open(storage, options(picker));
    }

    private static LsmOptions options(Picker picker) {
        return SimOptions.of(SEED, "none", EVERY_GROUP).with(o -> {
            o.table = o.table.withTableBytes(TABLE_BYTES);
            o.compaction = CompactionOptions.of(picker);
            o.throttle = new WriteThrottle(
                    Duration.ofSeconds(20),
                    Duration.ofMillis(1),
                    Duration.ofSeconds(20),
                    SLOW_RUNS,
                    3 * SLOW_RUNS,
                    16L << 30,
                    64L << 30);
        });
    }
}
