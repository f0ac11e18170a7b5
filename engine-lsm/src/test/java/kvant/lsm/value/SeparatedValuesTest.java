package kvant.lsm.value;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.Figures;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.SampleStores;
import kvant.lsm.Seeds;
import kvant.lsm.TestEngines;
import kvant.lsm.compaction.Picker;
import kvant.lsm.compaction.Universal;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Stores whose large values lie in value files.
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeparatedValuesTest {

    private static final long SEED = Seeds.seed(221);
    private static final byte[] START = {};

    private final HeapStorage storage = new HeapStorage();
    private final SortedMap<String, String> content = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyValueIsFoundWhileFilesComeAndGo(boolean leveled) {
        try (LsmEngine engine = TestEngines.open(storage, ValueStores.options(SEED, picker(leveled)))) {
            Random random = new Random(SEED);
            for (int round = 0; round < 8; round++) {
                ValueStores.overwrite(engine, 700, random, content);
                assertShown(engine);
            }
            engine.awaitRest();
            assertShown(engine);
            assertThat(newestValueFile()).as("value files came and went").isGreaterThan(100);
        }
        try (LsmEngine engine = TestEngines.open(storage, ValueStores.options(SEED + 1, picker(leveled)))) {
            assertShown(engine);
        }
    }

    /// Garbage left by random overwrites: the bound of the options, and values that level 0 hides until it is merged.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void garbageIsBounded(boolean leveled) {
        try (LsmEngine engine = TestEngines.open(storage, ValueStores.options(SEED, picker(leveled)))) {
            ValueStores.overwrite(engine, 6_000, new Random(SEED), content);
            engine.awaitRest();
            Figures figures = Figures.of(engine);
            double live = figures.get("kvant_lsm_value_bytes{state,live}");
            double garbage = figures.get("kvant_lsm_value_bytes{state,garbage}");
            double tables = 0;
            for (int level = 0; level <= 6; level++) {
                tables += figures.get("kvant_lsm_level_bytes{level," + level + "}");
            }
            assertThat(live).isPositive();
            assertThat(garbage).isLessThan(0.4 * live + 4 * tables);
            assertThat((double) storage.totalBytes(ValueStores::isValueFile))
                    .as("no file stays that nothing refers to")
                    .isLessThan((live + garbage) * 1.01 + 10_000);
        }
    }

    /// The reason for all of it.
    @Test
    void mergesDoNotWriteTheValuesAgain() {
        double separated = mergedBytes(ValueStores.options(SEED).with(o -> o.values = noGarbageCollection()));
        double inline = mergedBytes(ValueStores.options(SEED).with(o -> o.values = o.values.from(ValueOptions.NEVER)));
        assertThat(separated).isLessThan(inline / 4);
    }

    private static ValueOptions noGarbageCollection() {
        return new ValueOptions(ValueStores.SEPARATE_BYTES, 32 << 10, 1e9);
    }

    private static double mergedBytes(LsmOptions options) {
        try (LsmEngine engine = TestEngines.open(new HeapStorage(), options)) {
            ValueStores.overwrite(engine, 4_000, new Random(SEED), new TreeMap<>());
            engine.awaitRest();
            return Figures.of(engine).get("kvant_lsm_compaction_written_bytes_total");
        }
    }

    @Test
    void aValueThatIsNotWantedIsDescribedWithoutItsFile() {
        HeapStorage store = ValueStores.build(SEED, content);
        store.list().stream().filter(ValueStores::isValueFile).forEach(file -> {
            for (long at = 40; at < store.bytes(file).length - 40; at += 20) {
                store.flipBit(file, 8 * at);
            }
        });
        try (LsmEngine engine = TestEngines.open(store, ValueStores.options(SEED))) {
            int refused = 0;
            for (var entry : content.entrySet()) {
                byte[] key = bytes(entry.getKey());
                assertThat(engine.get(key, Lookup.Filter.NONE))
                        .isInstanceOfSatisfying(
                                Lookup.Described.class,
                                described -> assertThat(described.length())
                                        .isEqualTo(entry.getValue().length()));
                try {
                    assertThat(Samples.valueOf(engine.get(key))).isEqualTo(entry.getValue());
                } catch (EngineException.Corruption e) {
                    assertThat(e.file()).endsWith(".values");
                    refused++;
                }
            }
            assertThat(refused).isGreaterThan(content.size() / 2);
        }
    }

    @Test
    void aScanKeepsTheFilesOfItsSnapshotAndTheyGoWithIt() {
        try (LsmEngine engine = TestEngines.open(storage, ValueStores.options(SEED))) {
            Random random = new Random(SEED);
            ValueStores.overwrite(engine, 1_500, random, content);
            engine.awaitRest();
            SortedMap<String, String> before = new TreeMap<>(content);
            SortedMap<String, String> shown = new TreeMap<>();
            try (Cursor scan = engine.scan(START, null)) {
                while (scan.next()) {
                    shown.put(Samples.text(scan.key()), Samples.text(scan.value()));
                    ValueStores.overwrite(engine, 20, random, content);
                }
                engine.awaitRest();
                assertThat(shown).isEqualTo(before);
                assertThat(garbageOnDisk(engine)).as("held by the scan").isGreaterThan(100_000);
            }
            engine.awaitRest();
            Samples.write(engine, Samples.put("wake", "up"));
            patiently().until(() -> garbageOnDisk(engine) < 20_000);
        }
    }

    /// Bytes of value files that are no part of the store any more.
    private double garbageOnDisk(LsmEngine engine) {
        Figures figures = Figures.of(engine);
        return storage.totalBytes(ValueStores::isValueFile)
                - figures.get("kvant_lsm_value_bytes{state,live}")
                - figures.get("kvant_lsm_value_bytes{state,garbage}");
    }

    @Test
    void valuesThatHaveExpiredAreGarbage() {
        AtomicLong millis = new AtomicLong(1_000_000);
        LsmOptions options = ValueStores.options(SEED).with(o -> o.clock = () -> Instant.ofEpochMilli(millis.get()));
        try (LsmEngine engine = TestEngines.open(storage, options)) {
            for (int i = 0; i < 1_500; i++) {
                Samples.write(
                        engine, new Mutation.Put(bytes(ValueStores.key(i)), bytes("y".repeat(500 + i)), 2_000_000));
            }
            engine.awaitRest();
            byte[] first = bytes(ValueStores.key(0));
            assertThat(Samples.valueOf(engine.get(first))).hasSize(500);
            try (Cursor scan = engine.scan(START, null)) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.expiresAtMillis()).isEqualTo(2_000_000);
            }
            millis.set(2_000_000);
            assertThat(engine.get(first)).isEqualTo(Lookup.Miss.ABSENT);
            Samples.write(engine, Samples.put("wake", "up"));
            engine.awaitRest();
            Figures figures = Figures.of(engine);
            assertThat(figures.get("kvant_lsm_value_bytes{state,live}")).isLessThan(400_000);
        }
    }

    @Test
    void withoutSeparationTheValuesThatAreMovedComeBackIntoTables() {
        HeapStorage store = ValueStores.build(SEED, content);
        long before = store.totalBytes(ValueStores::isValueFile);
        LsmOptions off = ValueStores.options(SEED).with(o -> o.values = o.values.from(ValueOptions.NEVER));
        try (LsmEngine engine = TestEngines.open(store, off)) {
            ValueStores.overwrite(engine, 6_000, new Random(SEED + 1), content);
            engine.awaitRest();
            SortedMap<String, String> shown = SampleStores.scan(engine);
            assertThat(shown).isEqualTo(content);
            assertThat(store.totalBytes(ValueStores::isValueFile)).isLessThan(before / 2);
        }
    }

    @Test
    void aDamagedValueFileDoesNotKeepMergesFromGoingOn() {
        HeapStorage store = ValueStores.build(SEED, content);
        String file = store.list().stream()
                .filter(ValueStores::isValueFile)
                .findFirst()
                .orElseThrow();
        for (long at = 40; at < store.bytes(file).length - 40; at += 20) {
            store.flipBit(file, 8 * at);
        }
        try (LsmEngine engine = TestEngines.open(store, ValueStores.options(SEED))) {
            ValueStores.overwrite(engine, 600, new Random(SEED + 1), content);
            patiently().until(() -> {
                ValueStores.overwrite(engine, 50, new Random(SEED + 2), content);
                return Figures.of(engine).get("kvant_lsm_quarantined_tables") > 0
                        || !store.list().contains(file);
            });
            engine.awaitRest();
            assertThat(Figures.of(engine).get("kvant_lsm_runs")).isLessThan(8);
        }
    }

    @Test
    void aMissingOrShorterFileIsRefusedByNameAndAStrayOneIsDeleted() throws Exception {
        HeapStorage store = ValueStores.build(SEED);
        String file = store.list().stream()
                .filter(ValueStores::isValueFile)
                .findFirst()
                .orElseThrow();
        HeapStorage missing = store.copy();
        missing.delete(file);
        assertRefused(missing, file, "missing");
        for (int size = 0; size < store.bytes(file).length; size += 1 + size / 20) {
            HeapStorage shorter = store.copy();
            shorter.truncate(file, size);
            assertRefused(shorter, file, "");
        }
        HeapStorage other = store.copy();
        other.put(
                file,
                store.bytes(store.list().stream()
                        .filter(each -> ValueStores.isValueFile(each) && !each.equals(file))
                        .findFirst()
                        .orElseThrow()));
        assertRefused(other, file, "");
        String stray = FileNames.values(99_999);
        store.put(stray, new byte[100]);
        try (LsmEngine engine = TestEngines.open(store, ValueStores.options(SEED))) {
            assertThat(engine.get(bytes("nothing"))).isEqualTo(Lookup.Miss.ABSENT);
        }
        assertThat(store.list()).doesNotContain(stray);
        HeapStorage orphans = new HeapStorage().put(file, new byte[10]);
        assertThatThrownBy(() -> TestEngines.open(orphans, ValueStores.options(SEED)))
                .isInstanceOf(EngineException.CannotOpen.class)
                .hasMessageContaining(file);
    }

    private static void assertRefused(HeapStorage store, String file, String why) {
        assertThatThrownBy(
                        () -> TestEngines.open(store, ValueStores.options(SEED)).close())
                .isInstanceOf(EngineException.Corruption.class)
                .hasMessageContaining(file)
                .hasMessageContaining(why);
    }

    @Test
    void aCheckpointHasTheValues(@TempDir Path folder) {
        Path copy = folder.resolve("copy");
        LsmOptions options = ValueStores.options(SEED).withDurability(Durability.NONE);
        try (LsmEngine engine = LsmEngine.open(folder.resolve("data"), options)) {
            ValueStores.overwrite(engine, 1_500, new Random(SEED), content);
            engine.maintenance().checkpoint(copy, _ -> {});
            ValueStores.overwrite(engine, 1_500, new Random(SEED + 1), new TreeMap<>());
            engine.maintenance().compact(_ -> {});
        }
        try (LsmEngine engine = LsmEngine.open(copy, options)) {
            assertShown(engine);
            assertThat(Figures.of(engine).get("kvant_lsm_value_files")).isPositive();
            ValueStores.overwrite(engine, 1_500, new Random(SEED + 2), content);
            engine.awaitRest();
            assertShown(engine);
        }
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofNanos(Samples.timeoutNanos()));
    }

    private void assertShown(LsmEngine engine) {
        assertThat(SampleStores.scan(engine)).isEqualTo(content);
        for (int i = 0; i < ValueStores.KEYS; i += 7) {
            String key = ValueStores.key(i);
            assertThat(Samples.valueOf(engine.get(bytes(key)))).as(key).isEqualTo(content.get(key));
        }
    }

    private long newestValueFile() {
        return storage.list().stream()
                .map(FileNames::valuesNumber)
                .filter(number -> number != null)
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private static Picker picker(boolean leveled) {
        return leveled ? ValueStores.LEVELED : new Universal(2, 4);
    }
}
