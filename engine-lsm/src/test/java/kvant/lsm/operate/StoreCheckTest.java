package kvant.lsm.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvant.engine.Engine;
import kvant.engine.Samples;
import kvant.lsm.SampleStores;
import kvant.lsm.Seeds;
import kvant.lsm.TestEngines;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableWriter;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.ManifestState;
import kvant.lsm.version.WrittenRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The check finds every damage to the files of a sample store, and names the file.
class StoreCheckTest {

    private static final long SEED = Seeds.seed(4_711);
    private static final int FLIPS = Seeds.tries(1_000);

    /// The size of a record without a payload, as the last one of a log and of a manifest is.
    private static final int END_RECORD_BYTES = 32;

    private final HeapStorage store = SampleStores.build(SEED, new TreeMap<>());

    @Test
    void aSoundStoreIsSound() throws IOException {
        HeapStorage before = store.copy();

        Findings found = new Findings(store);

        assertThat(found.problems).isEmpty();
        assertThat(found.notes).isEmpty();
        assertThat(found.summary.tables()).isEqualTo(files(".table").size()).isPositive();
        assertThat(found.summary.logs()).isEqualTo(2);
        assertThat(found.summary.replayed()).isEqualTo(6);
        assertThat(found.summary.deleted()).isZero();
        assertThat(found.summary.bytes())
                .isEqualTo(store.list().stream()
                        .mapToLong(name -> store.bytes(name).length)
                        .sum());
        assertThat(found.progress).isSorted().endsWith(found.summary.bytes());
        assertUnchanged(before);
    }

    /// The bits that no problem comes of are those of a file's very last record, which holds nothing: with one of
    /// them flipped it looks like one that a crash tore. The check says so in a note.
    @ParameterizedTest
    @ValueSource(strings = {".table", ".log", "MANIFEST"})
    void everyFlippedBitIsReported(String ending) throws IOException {
        Random random = new Random(SEED);
        List<String> files = files(ending);
        for (int i = 0; i < FLIPS; i++) {
            String file = files.get(random.nextInt(files.size()));
            int size = store.bytes(file).length;
            long bit = random.nextLong(size * 8L);
            HeapStorage damaged = store.copy();
            damaged.flipBit(file, bit);
            Findings found = new Findings(damaged);
            boolean inEndRecord = !ending.equals(".table") && bit / 8 >= size - END_RECORD_BYTES;
            String flip = "seed " + SEED + ": bit " + bit + " of " + file + " of " + size + " bytes: " + found;
            if (inEndRecord && found.problems.isEmpty()) {
                assertThat(found.notes("heap/" + file)).as(flip).isTrue();
            } else {
                assertThat(found.files()).as(flip).containsExactly("heap/" + file);
            }
        }
    }

    @Test
    void everyDamagedBlockIsReportedAtItsPlace() throws IOException {
        String table = files(".table").getFirst();
        int middle = store.bytes(table).length / 2;
        store.flipBit(table, 8 * 20);
        store.flipBit(table, 8L * middle);

        Findings found = new Findings(store);

        assertThat(found.problems).hasSize(2).allMatch(problem -> problem.kind() == Damage.BLOCK);
        assertThat(found.problems.getFirst().offset()).isEqualTo(16);
        assertThat(found.problems.getLast().offset()).isBetween(middle - 400L, (long) middle);
    }

    @Test
    void everyDamagedFileIsReported() throws IOException {
        List<String> tables = files(".table");
        store.flipBit(tables.get(0), 200);
        store.truncate(tables.get(1), 100);
        store.flipBit(files(".log").getFirst(), 8 * 100);

        assertThat(new Findings(store).files())
                .containsExactlyInAnyOrder(
                        "heap/" + tables.get(0),
                        "heap/" + tables.get(1),
                        "heap/" + files(".log").getFirst());
    }

    @Test
    void aMissingFileIsReported() throws IOException {
        for (String file : store.list()) {
            HeapStorage damaged = store.copy();
            damaged.delete(file);
            Findings found = new Findings(damaged);
            assertThat(found.problems).as("without " + file).isNotEmpty();
            assertThat(found.problems.getFirst().file()).isEqualTo("heap/" + file);
            assertThat(found.problems.getFirst().what()).contains("missing");
        }
    }

    @Test
    void aShortenedTableOrManifestIsReported() throws IOException {
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            List<String> files = i % 2 == 0 ? files(".table") : List.of(FileNames.MANIFEST);
            String file = files.get(random.nextInt(files.size()));
            int size = store.bytes(file).length;
            int cut = random.nextInt(i % 2 == 0 ? size : size - END_RECORD_BYTES);
            HeapStorage damaged = store.copy();
            damaged.truncate(file, cut);
            Findings found = new Findings(damaged);
            // A manifest that ends after a whole edit is one of an older moment: what it does not know tells.
            boolean told = found.files().contains("heap/" + file)
                    || !found.problems.isEmpty() && file.equals(FileNames.MANIFEST)
                    || found.notes("heap/" + file) && file.equals(FileNames.MANIFEST);
            assertThat(told)
                    .as(file + " of " + size + " cut at " + cut + ": " + found)
                    .isTrue();
        }
    }

    @Test
    void aShortenedLogOfAStoreThatWasStoppedIsReported() throws IOException {
        for (String log : files(".log")) {
            for (int cut = 0; cut < store.bytes(log).length; cut++) {
                HeapStorage damaged = store.copy();
                damaged.truncate(log, cut);
                Findings found = new Findings(damaged);
                assertThat(found.files()).as("cut at " + cut).containsExactly("heap/" + log);
                assertThat(found.notes).as("a start does not cut it off").isEmpty();
            }
        }
    }

    /// Where the manifest does not say how long logs are, only the end of the last one may be what a crash took.
    @Test
    void aShortenedLogIsReported() throws IOException {
        SampleStores.forgetEndsOfLogs(store);
        List<String> logs = files(".log");
        for (String log : logs) {
            int size = store.bytes(log).length;
            for (int cut = 0; cut < size - END_RECORD_BYTES; cut++) {
                HeapStorage damaged = store.copy();
                damaged.truncate(log, cut);
                Findings found = new Findings(damaged);
                if (log.equals(logs.getFirst()) || cut < 64) {
                    assertThat(found.files()).as("cut at " + cut).containsExactly("heap/" + log);
                } else {
                    assertThat(found.problems).isEmpty();
                    assertThat(found.summary.replayed()).isLessThan(6);
                }
            }
        }
    }

    @Test
    void anExchangedFileIsReported() throws IOException {
        HeapStorage other = SampleStores.build(SEED + 1, new TreeMap<>());
        for (String file : store.list()) {
            HeapStorage damaged = store.copy();
            damaged.put(file, other.bytes(file));
            List<String> named = new Findings(damaged).files();
            if (file.equals(FileNames.MANIFEST)) {
                assertThat(named).as("everything is another's").hasSizeGreaterThan(2);
            } else {
                assertThat(named).containsExactly("heap/" + file);
            }
        }
    }

    @Test
    void twoTablesThatChangedPlacesAreReported() throws IOException {
        List<String> tables = files(".table");
        byte[] first = store.bytes(tables.get(0));
        store.put(tables.get(0), store.bytes(tables.get(1))).put(tables.get(1), first);

        assertThat(new Findings(store).files()).containsExactly("heap/" + tables.get(0), "heap/" + tables.get(1));
    }

    @Test
    void straysAreNotedAndForeignFilesToo() throws IOException {
        store.put("00000999.table", new byte[10])
                .put("MANIFEST.new", new byte[3])
                .put("notes.txt", new byte[1]);

        Findings found = new Findings(store);

        assertThat(found.problems).isEmpty();
        assertThat(found.notes).hasSize(3);
        assertThat(found.notes("heap/notes.txt")).isTrue();
        assertThat(found.summary.deleted()).isEqualTo(2);
    }

    @Test
    void aLogThatTheManifestHasForgottenIsReported() throws IOException {
        byte[] old = store.bytes(FileNames.MANIFEST);
        try (Engine engine = TestEngines.open(store, SampleStores.calm(SEED + 9))) {
            Samples.write(engine, Samples.put("later", "v"));
        }
        store.put(FileNames.MANIFEST, old);

        Findings found = new Findings(store);

        assertThat(found.problems).anyMatch(problem -> problem.kind() == Damage.UNKNOWN_WRITES);
    }

    @Test
    void aDamagedManifestStillHasTheTablesLookedAt() throws IOException {
        String table = files(".table").getFirst();
        store.flipBit(FileNames.MANIFEST, 8 * 30);
        store.flipBit(table, 8 * 30);

        assertThat(new Findings(store).files()).containsExactly("heap/MANIFEST", "heap/" + table);
    }

    /// Files whose every checksum is right, and which break the rules nevertheless, as a fault of the writer would.
    @Test
    void tablesThatOverlapAreReported() throws IOException {
        HeapStorage storage = new HeapStorage();
        TableInfo first = table(storage, 1, IntStream.range(0, 100));
        TableInfo second = table(storage, 2, IntStream.range(99, 200));
        Manifest.create(storage, new Random(SEED), new WrittenRun(List.of(first, second)), 1_000);

        Findings found = new Findings(storage);

        assertThat(found.problems).singleElement().matches(problem -> problem.kind() == Damage.ORDER);
        assertThat(found.files()).containsExactly("heap/00000002.table");
    }

    @Test
    void keysOutOfOrderAreReported() throws IOException {
        HeapStorage storage = new HeapStorage();
        TableInfo table = table(storage, 1, IntStream.of(1, 3, 2));
        Manifest.create(storage, new Random(SEED), new WrittenRun(List.of(table)), 1_000);

        assertThat(new Findings(storage).problems)
                .singleElement()
                .matches(problem -> problem.what().contains("not in order"));
    }

    @Test
    void sequencesAboveTheManifestsAreReported() throws IOException {
        HeapStorage storage = new HeapStorage();
        TableInfo table = table(storage, 1, IntStream.range(0, 10));
        Manifest.create(storage, new Random(SEED), new WrittenRun(List.of(table)), 5);

        assertThat(new Findings(storage).problems)
                .singleElement()
                .matches(problem ->
                        problem.kind() == Damage.MANIFEST && problem.what().contains("up to 5"));
    }

    @Test
    void anUnknownKindOfRecordIsReported() throws IOException {
        HeapStorage storage = new HeapStorage();
        Entry odd = new Entry(Samples.bytes("k"), Tag.of(1, 7), new byte[0]);
        TableInfo table = write(storage, 1, List.of(odd));
        Manifest.create(storage, new Random(SEED), new WrittenRun(List.of(table)), 5);

        assertThat(new Findings(storage).problems)
                .singleElement()
                .matches(problem -> problem.what().contains("kind 7"));
    }

    private static TableInfo table(HeapStorage storage, long number, IntStream keys) throws IOException {
        return write(
                storage,
                number,
                keys.mapToObj(i -> new Entry(Samples.bytes("%05d".formatted(i)), Tag.of(i + 1, Tag.PUT), new byte[20]))
                        .toList());
    }

    private static TableInfo write(HeapStorage storage, long number, List<Entry> entries) throws IOException {
        try (TableWriter writer = new TableWriter(storage, FileNames.table(number), number, 256, Compression.NONE)) {
            for (Entry entry : entries) {
                ListCursor one = new ListCursor(List.of(entry));
                one.seek(new byte[0]);
                writer.add(one);
            }
            TableWriter.Finished table = writer.finish();
            return new TableInfo(
                    number,
                    20,
                    number,
                    table.bytes(),
                    table.checksum(),
                    table.properties().lastSequence(),
                    List.of());
        }
    }

    private void assertUnchanged(HeapStorage before) {
        assertThat(store.list()).isEqualTo(before.list());
        for (String name : store.list()) {
            assertThat(Arrays.equals(store.bytes(name), before.bytes(name)))
                    .as(name)
                    .isTrue();
        }
    }

    private List<String> files(String ending) {
        return store.list().stream().filter(name -> name.endsWith(ending)).collect(Collectors.toList());
    }

    @Test
    void theStateOfTheSampleIsWhatTheTestsTakeItFor() throws IOException {
        ManifestState state = Manifest.read(store);

        assertThat(state.logs()).hasSize(2);
        assertThat(state.tables()).hasSizeGreaterThan(4);
    }
}
