package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.engine.EngineException;
import kvant.engine.LocalEngine;
import kvant.engine.Mutation;
import kvant.engine.Samples;
import kvant.lsm.bytes.Checksum;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Damage to the files of a store that was closed in good order. Whatever happens to a file, a store either
/// refuses, naming it, or shows what was written.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DamagedFilesTest {

    private static final long SEED = Seeds.seed(81);
    private static final int FLIPS = Seeds.tries(250);
    private static final int END_RECORD_BYTES = 32;

    /// The bytes that a manifest gets after the last log: two end records, and between them the edit of a clean stop.
    private static final int MOST_AFTER_LOGS_BYTES = 2 * END_RECORD_BYTES + 32 + 32;

    private final SortedMap<String, String> content = new TreeMap<>();
    private final HeapStorage store = SampleStores.build(SEED, content);

    @Test
    void theSampleHasEveryKindOfFile() {
        assertThat(tables()).hasSizeGreaterThan(4);
        assertThat(logs()).hasSize(2);
        assertThat(outcome(store.copy(), "")).isNull();
    }

    @Test
    void oneFlippedBitInATableIsNoticedOrHarmless() {
        flip(tables(), FLIPS);
    }

    @Test
    void oneFlippedBitInALogIsNoticedOrHarmless() {
        flip(logs(), FLIPS);
    }

    @Test
    void oneFlippedBitInTheManifestIsNoticedOrHarmless() {
        flip(List.of(FileNames.MANIFEST), FLIPS);
    }

    /// Bits of padding and of a log's end record may flip unnoticed; most may not.
    private void flip(List<String> files, int flips) {
        Random random = new Random(SEED);
        int noticed = 0;
        for (int i = 0; i < flips; i++) {
            String file = files.get(random.nextInt(files.size()));
            long bit = random.nextLong(store.bytes(file).length * 8L);
            HeapStorage damaged = store.copy();
            damaged.flipBit(file, bit);
            try {
                noticed += outcome(damaged, file) != null ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ": bit " + bit + " of " + file, e);
            }
        }
        assertThat(noticed).as("noticed of %d", flips).isGreaterThan(flips * 3 / 4);
    }

    @Test
    void aManifestCutAtAnyByteForgetsNothingSilently() {
        byte[] whole = store.bytes(FileNames.MANIFEST);
        int opened = 0;
        for (int size = 0; size < whole.length; size++) {
            HeapStorage damaged = store.copy();
            damaged.truncate(FileNames.MANIFEST, size);
            try {
                opened += outcome(damaged, null) == null ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("cut at " + size, e);
            }
        }
        assertThat(opened)
                .as("cut within the edit that tells where the last log ends, and records that vouch")
                .isBetween(1, MOST_AFTER_LOGS_BYTES);
    }

    /// With its first log alone, nothing but the log itself tells what the manifest has forgotten.
    @Test
    void aManifestThatForgotItsOnlyLogDoesNotMakeTheLogAStray() {
        HeapStorage storage = new HeapStorage();
        HeapStorage one;
        try (LocalEngine engine = TestEngines.open(storage, SampleStores.calm(SEED))) {
            Samples.write(engine, group(1));
            one = storage.copy(); // after its stop the manifest has one edit more
        }
        byte[] whole = one.bytes(FileNames.MANIFEST);
        for (int size = whole.length - 32 - 1; size >= 104; size--) { // the new log's edit is torn, the state is not
            HeapStorage cut = one.copy().put(FileNames.MANIFEST, Arrays.copyOf(whole, size));
            assertRefused(cut, FileNames.MANIFEST);
            assertThat(cut.list()).isEqualTo(one.list());
        }
    }

    /// Its successor says how much of it was synced, as in stores of versions that do not tell the manifest.
    @Test
    void aLogThatHasASuccessorCutAtAnyByteForgetsNothingSilently() throws IOException {
        SampleStores.forgetEndsOfLogs(store);
        String log = logs().getFirst();
        int opened = 0;
        for (int size = 0; size < store.bytes(log).length; size++) {
            HeapStorage damaged = store.copy();
            damaged.truncate(log, size);
            opened += outcome(damaged, log) == null ? 1 : 0;
        }
        assertThat(opened).as("cut within the end record").isBetween(1, END_RECORD_BYTES);
    }

    @Test
    void aLogOfAStoreThatWasStoppedCutAtAnyByteIsRefused() {
        for (String log : logs()) {
            for (int size = 0; size < store.bytes(log).length; size++) {
                HeapStorage damaged = store.copy();
                damaged.truncate(log, size);
                assertThat(outcome(damaged, log)).as("%s cut at %d", log, size).isNotNull();
            }
        }
    }

    @Test
    void aTableCutAtAnyByteIsRefused() {
        String table = tables().getFirst();
        for (int size = 0; size < store.bytes(table).length; size += 1 + size / 50) {
            HeapStorage damaged = store.copy();
            damaged.truncate(table, size);
            assertThat(outcome(damaged, table)).as("cut at %d", size).isInstanceOf(EngineException.Corruption.class);
        }
    }

    @Test
    void aMissingFileIsRefusedByName() throws Exception {
        for (String file : needed()) {
            HeapStorage damaged = store.copy();
            damaged.delete(file);
            EngineException refusal = outcome(damaged, file);
            assertThat(refusal).as(file).isNotNull();
            assertThat(damaged.list()).as("a refusal changes nothing").isEqualTo(without(file));
        }
    }

    @Test
    void anEmptyFileIsRefusedByName() {
        for (String file : needed()) {
            HeapStorage damaged = store.copy();
            damaged.put(file, new byte[0]);
            assertThat(outcome(damaged, file)).as(file).isInstanceOf(EngineException.Corruption.class);
        }
    }

    @Test
    void theFileOfAnotherStoreUnderTheSameNameIsRefused() {
        HeapStorage other = SampleStores.build(SEED + 1_000, new TreeMap<>());
        assertThat(other.list()).isEqualTo(store.list());
        for (String file : needed()) {
            if (!file.equals(FileNames.MANIFEST)) {
                HeapStorage damaged = store.copy();
                damaged.put(file, other.bytes(file));
                assertThat(outcome(damaged, file)).as(file).isInstanceOf(EngineException.Corruption.class);
            }
        }
    }

    @Test
    void anotherFileOfTheSameStoreUnderTheNameIsRefused() {
        List<String> tables = tables();
        for (int i = 0; i < tables.size(); i++) {
            HeapStorage damaged = store.copy();
            damaged.put(tables.get(i), store.bytes(tables.get((i + 1) % tables.size())));
            assertThat(outcome(damaged, tables.get(i))).isInstanceOf(EngineException.Corruption.class);
        }
    }

    @Test
    void aNewerFormatVersionIsAnErrorOfItsOwn() {
        for (String file : needed()) {
            HeapStorage newer = store.copy();
            int version = store.bytes(file)[8] + 1;
            newer.put(file, withVersion(version, file, store.bytes(file)));
            EngineException refusal = outcome(newer, file);
            assertThat(refusal)
                    .as(file)
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContaining("format version " + version)
                    .hasMessageContaining("use the version that wrote it");
        }
    }

    @Test
    void aRefusedOpenLeavesEveryFileAsItWas() {
        for (String file : needed()) {
            HeapStorage damaged = store.copy();
            damaged.flipBit(file, 3 * 8);
            HeapStorage before = damaged.copy();
            assertThat(outcome(damaged, file)).isNotNull();
            assertThat(damaged.list()).isEqualTo(before.list());
            assertThat(damaged.bytes(file)).isEqualTo(before.bytes(file));
        }
    }

    /// @param file whose refusal is expected to name it; null for any
    /// @return the refusal, or null when everything was read as it was written
    private @Nullable EngineException outcome(HeapStorage damaged, @Nullable String file) {
        try (LocalEngine engine = TestEngines.open(damaged, SampleStores.calm(SEED + 3))) {
            int refused = SampleStores.readAll(engine, content, String.valueOf(file));
            return refused == 0 ? null : new EngineException.Corruption("heap/" + file, 0, "when read");
        } catch (EngineException.Corruption | EngineException.CannotOpen e) {
            if (file != null) {
                SampleStores.check(e, file);
            }
            return e;
        }
    }

    private static byte[] withVersion(int version, String file, byte[] bytes) {
        bytes[8] = (byte) version;
        if (FileNames.tableNumber(file) != null) {
            int footer = bytes.length - 64;
            bytes[footer + 36] = (byte) version;
            putInt(bytes, footer + 52, Checksum.of(0x666F6F7465720000L, bytes, footer, 52));
        } else {
            putInt(bytes, 60, Checksum.of(0x6865616465720000L, bytes, 0, 60));
        }
        return bytes;
    }

    private static void putInt(byte[] bytes, int at, int value) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> 8 * i);
        }
    }

    private List<String> needed() {
        return store.list();
    }

    private List<String> without(String file) {
        return store.list().stream().filter(name -> !name.equals(file)).toList();
    }

    private List<String> tables() {
        return store.list().stream()
                .filter(name -> FileNames.tableNumber(name) != null)
                .toList();
    }

    private List<String> logs() {
        return store.list().stream()
                .filter(name -> FileNames.logNumber(name) != null)
                .toList();
    }

    /// Separate from the big store: what a log alone gives back where nothing else says how long it was.
    @Test
    void aLogCutAtEveryByteGivesBackTheLongestValidPrefix() throws IOException {
        HeapStorage one = new HeapStorage();
        try (LocalEngine engine = TestEngines.open(one, SampleStores.calm(SEED))) {
            for (int i = 0; i < 8; i++) {
                Samples.write(engine, group(i));
            }
        }
        SampleStores.forgetEndsOfLogs(one);
        String log = FileNames.log(1);
        byte[] whole = one.bytes(log);
        int[] ends = new int[10];
        ends[0] = 64;
        for (int i = 0; i < 8; i++) {
            ends[i + 1] = ends[i] + 32 + (9 * (i % 3 + 1) + 7) / 8 * 8; // kind, sizes, two bytes of key, four of value
        }
        ends[9] = whole.length;
        for (int size = 0; size <= whole.length; size++) {
            HeapStorage cut = one.copy().put(log, Arrays.copyOf(whole, size));
            if (size < 64) {
                assertRefused(cut, log);
            } else {
                assertPrefix(cut, size, ends, writtenEnd(whole, size));
            }
        }
    }

    /// Zeros at the end of a log are room that no record took, wherever they come from.
    private static int writtenEnd(byte[] log, int size) {
        int end = size;
        while (log[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static void assertRefused(HeapStorage cut, String file) {
        try (LocalEngine engine = TestEngines.open(cut, SampleStores.calm(SEED + 1))) {
            throw new AssertionError("accepted: " + engine.health());
        } catch (EngineException.Corruption e) {
            SampleStores.check(e, file);
        }
    }

    private static void assertPrefix(HeapStorage cut, int size, int[] ends, int writtenEnd) {
        int whole = 0;
        while (whole + 1 < ends.length && ends[whole + 1] <= size) {
            whole++;
        }
        SortedMap<String, String> expected = new TreeMap<>();
        for (int i = 0; i < Math.min(whole, 8); i++) {
            for (Mutation mutation : group(i)) {
                expected.put(Samples.text(mutation.key()), Samples.text(((Mutation.Put) mutation).value()));
            }
        }
        try (LsmEngine engine = TestEngines.open(cut, SampleStores.calm(SEED + 1))) {
            assertThat(SampleStores.scan(engine)).as("cut at %d", size).isEqualTo(expected);
            assertThat(engine.recovery().tornBytes())
                    .as("cut at %d", size)
                    .isEqualTo(Math.max(0, writtenEnd - ends[whole]));
        }
        try (LocalEngine engine = TestEngines.open(cut, SampleStores.calm(SEED + 2))) {
            assertThat(SampleStores.scan(engine))
                    .as("opened again, cut at %d", size)
                    .isEqualTo(expected);
        }
    }

    private static Mutation[] group(int number) {
        Mutation[] mutations = new Mutation[number % 3 + 1];
        for (int i = 0; i < mutations.length; i++) {
            mutations[i] = Samples.put("" + number + i, "%04d".formatted(number * 10 + i));
        }
        return mutations;
    }
}
