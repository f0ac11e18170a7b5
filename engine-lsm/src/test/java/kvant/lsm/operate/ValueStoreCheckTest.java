package kvant.lsm.operate;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import kvant.engine.EngineException;
import kvant.lsm.LsmEngine;
import kvant.lsm.SampleStores;
import kvant.lsm.Seeds;
import kvant.lsm.TestEngines;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.RecordView;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.Damage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableWriter;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.value.ValueFiles;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.value.ValueReference;
import kvant.lsm.value.ValueSeparation;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.WrittenRun;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// `kvant check` of stores whose large values lie in value files.
class ValueStoreCheckTest {

    private static final long SEED = Seeds.seed(223);

    private final HeapStorage store = SampleStores.buildSeparated(SEED, new TreeMap<>());

    @Test
    void aSoundStoreIsSound() throws IOException {
        Findings found = new Findings(store);
        assertThat(found.problems).isEmpty();
        assertThat(found.notes).isEmpty();
        assertThat(found.summary.valueFiles()).isEqualTo(values().size()).isGreaterThan(1);
        assertThat(found.progress).isSorted().endsWith(found.summary.bytes());
    }

    @Test
    void everyFlippedBitIsReported() throws IOException {
        Random random = new Random(SEED);
        for (int i = 0; i < 300; i++) {
            String file = values().get(random.nextInt(values().size()));
            long bit = random.nextLong(store.bytes(file).length * 8L);
            HeapStorage damaged = store.copy();
            damaged.flipBit(file, bit);
            assertThat(new Findings(damaged).files())
                    .as("seed %d: bit %d of %s", SEED, bit, file)
                    .contains("heap/" + file);
        }
    }

    @Test
    void aMissingOneIsReportedAndAStrayOneIsNoted() throws IOException {
        String file = values().getFirst();
        HeapStorage without = store.copy();
        without.delete(file);
        assertThat(new Findings(without).problems)
                .anyMatch(problem ->
                        problem.kind() == Damage.FILE_MISSING && problem.file().equals("heap/" + file));
        String stray = FileNames.values(77_777);
        store.put(stray, store.bytes(file));
        Findings found = new Findings(store);
        assertThat(found.problems).isEmpty();
        assertThat(found.notes("heap/" + stray)).isTrue();
        assertThat(found.summary.deleted()).isEqualTo(1);
    }

    @Test
    void withoutAManifestEachFileIsLookedAt() throws IOException {
        String file = values().getFirst();
        store.delete(FileNames.MANIFEST);
        store.flipBit(file, 8L * store.bytes(file).length / 2);
        assertThat(new Findings(store).files()).contains("heap/" + file, "heap/" + FileNames.MANIFEST);
    }

    /// A table with two pointers whose values are those of each other's keys, all checksums right.
    @Test
    void aPointerToTheValueOfAnotherKeyIsReported() throws IOException {
        HeapStorage made = new HeapStorage();
        assertThat(new Findings(withPointers(made, false, 0)).problems).isEmpty();
        Findings swapped = new Findings(withPointers(new HeapStorage(), true, 0));
        assertThat(swapped.problems).hasSize(1);
        assertThat(swapped.problems.getFirst().what()).contains("another value");
    }

    /// The manifest decides which value files are deleted: it must know every reference.
    @Test
    void referencesThatTheManifestDoesNotKnowAreReported() throws IOException {
        Findings found = new Findings(withPointers(new HeapStorage(), false, 1));
        assertThat(found.problems).hasSize(1);
        assertThat(found.problems.getFirst().what()).contains("does not refer to the value files");
    }

    /// All checksums are right, so that only the read of the value finds it.
    @Test
    void aPointerToAFileThatTheStoreLacksIsDamageAndNotTheEndOfTheEngine() throws IOException {
        HeapStorage made = withPointers(new HeapStorage(), false, 0);
        TableInfo unaware = Manifest.read(made).tables().getFirst().referringTo(List.of());
        made.delete(FileNames.MANIFEST);
        Manifest.create(made, new Random(SEED), new WrittenRun(List.of(unaware)), 2);

        try (LsmEngine engine = TestEngines.open(made, SampleStores.calm(SEED))) {
            List<ThrowingCallable> reads = List.of(
                    () -> engine.get(bytes("a")),
                    () -> SampleStores.scan(engine),
                    () -> engine.read(List.of(bytes("a")), (_, _, _, _) -> {}));
            for (ThrowingCallable read : reads) {
                assertThatThrownBy(read)
                        .isInstanceOf(EngineException.Corruption.class)
                        .hasMessageContaining("refers to a value file that is not there");
            }
        }
    }

    private static HeapStorage withPointers(HeapStorage storage, boolean swapped, long moreRecords) throws IOException {
        List<ListCursor.Entry> stored = new ArrayList<>();
        List<ValueReference> references;
        List<ValueFileInfo> files;
        ValueSeparation.Plan plan = new ValueSeparation.Plan(ValueOptions.DEFAULT.from(1), new ValueFiles(), Set.of());
        try (ValueSeparation separation =
                new ValueSeparation(storage, new Random(SEED), () -> 2, plan, new ArrayList<>())) {
            ListCursor records = new ListCursor(List.of(
                    new ListCursor.Entry(bytes("a"), Tag.of(1, Tag.PUT), bytes("first")),
                    new ListCursor.Entry(bytes("b"), Tag.of(2, Tag.PUT), bytes("other"))));
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                RecordView placed = separation.place(records);
                stored.add(new ListCursor.Entry(placed.key(), placed.tag(), placed.storedValue()));
            }
            references = separation.takeReferences();
            files = separation.finish();
        }
        ListCursor records = new ListCursor(List.of(
                new ListCursor.Entry(
                        bytes("a"),
                        stored.get(0).tag(),
                        stored.get(swapped ? 1 : 0).value()),
                new ListCursor.Entry(
                        bytes("b"),
                        stored.get(1).tag(),
                        stored.get(swapped ? 0 : 1).value())));
        try (TableWriter writer = new TableWriter(storage, FileNames.table(1), 1, 256, Compression.NONE)) {
            for (boolean on = records.seek(new byte[0]); on; on = records.next()) {
                writer.add(records);
            }
            TableWriter.Finished table = writer.finish();
            ValueReference reference = references.getFirst();
            TableInfo info = new TableInfo(
                    1,
                    1,
                    1,
                    table.bytes(),
                    table.checksum(),
                    2,
                    List.of(new ValueReference(
                            reference.file(), reference.records() + moreRecords, reference.bytes())));
            Manifest.create(storage, new Random(SEED), new WrittenRun(List.of(info), files), 2);
        }
        return storage;
    }

    private List<String> values() {
        return store.list().stream()
                .filter(name -> FileNames.valuesNumber(name) != null)
                .toList();
    }
}
