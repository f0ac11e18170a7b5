package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.sim.Call;
import kvant.lsm.sim.Faults;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.TableInfo;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.value.ValueReference;
import org.junit.jupiter.api.Test;

class ManifestTest {

    /// Of an edit that adds a log of a small number.
    private static final int EDIT_BYTES = 56;

    private final HeapStorage storage = new HeapStorage();

    @Test
    void editsRoundTrip() {
        VersionEdit edit = new VersionEdit(
                new WrittenRun(List.of(
                        new TableInfo(1, 2, -3, Long.MAX_VALUE, -5, 6, List.of()),
                        new TableInfo(7, 8, 9, 10, 11, 12, List.of()))),
                List.of(13L, 14L),
                List.of(),
                List.of(new LogInfo(15, -16), new LogInfo(18, 19, Long.MAX_VALUE, 20)),
                List.of(17L),
                Long.MAX_VALUE,
                19);
        assertRoundTrip(edit);
    }

    @Test
    void editsWithValueFilesRoundTrip() {
        List<ValueReference> references =
                List.of(new ValueReference(3, 4, 5), new ValueReference(6, 7, Long.MAX_VALUE));
        TableInfo referring = new TableInfo(1, 2, -3, 4, -5, 6, references);
        assertRoundTrip(new VersionEdit(
                new WrittenRun(
                        List.of(referring, new TableInfo(7, 8, 9, 10, 11, 12, List.of())),
                        List.of(new ValueFileInfo(3, -1, 1 << 20, -2, 9))),
                List.of(13L),
                List.of(16L, 17L),
                List.of(),
                List.of(),
                14,
                15));
    }

    private static void assertRoundTrip(VersionEdit edit) {
        ByteWriter out = new ByteWriter(16);
        VersionEditDescriptor.encode(edit, out);
        assertThat(VersionEditDescriptor.decode(reader(out.toByteArray()), VersionEditDescriptor.VERSION))
                .isEqualTo(edit);
        assertCutIsNotDecoded(out);
    }

    @Test
    void anEditThatIsCutOrFollowedByMoreIsNotDecoded() {
        ByteWriter out = new ByteWriter(16);
        VersionEditDescriptor.encode(VersionEdit.logs(new LogInfo(5, 6), List.of(3L)), out);
        assertCutIsNotDecoded(out);
    }

    private static void assertCutIsNotDecoded(ByteWriter edit) {
        for (int length = 0; length <= edit.size() + 1; length++) {
            byte[] other = Arrays.copyOf(edit.toByteArray(), length);
            if (length != edit.size()) {
                assertThatThrownBy(() -> VersionEditDescriptor.decode(reader(other), VersionEditDescriptor.VERSION))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    /// An older version of Kvant, which would not look at the ends of logs, refuses the store.
    @Test
    void everyManifestIsBegunInTheThirdVersionAndKnowsTheEndsOfLogs() throws IOException {
        TableInfo table = new TableInfo(1, 1, 2, 3, 4, 5, List.of(new ValueReference(2, 1, 100)));
        ValueFileInfo file = new ValueFileInfo(2, 3, 164, 4, 1);
        LogInfo finished = new LogInfo(9, 1, 400, 5);
        LogInfo begun = new LogInfo(10, 2);
        try (Manifest manifest = new Manifest(storage, new Random(1), 1 << 20, new ManifestState())) {
            assertThat(manifestVersion()).isEqualTo(3);
            manifest.append(VersionEdit.logs(new LogInfo(9, 1), List.of()));
            manifest.append(VersionEdit.flush(new WrittenRun(List.of(table), List.of(file)), List.of(), 5));
            manifest.append(VersionEdit.logChanged(finished, begun));
        }
        for (int start = 2; start < 4; start++) { // from edits, and from a state as one edit
            ManifestState read = Manifest.read(storage);
            assertThat(read.valueFiles()).containsExactly(file);
            assertThat(read.tables()).containsExactly(table);
            assertThat(read.log(9)).isEqualTo(finished);
            assertThat(read.log(10)).isEqualTo(begun);
            new Manifest(storage, new Random(start), 1 << 20, read).close();
            assertThat(manifestVersion()).isEqualTo(3);
        }
    }

    private int manifestVersion() {
        return storage.bytes(FileNames.MANIFEST)[8];
    }

    @Test
    void aListThatClaimsToBeEndlessEndsWithTheRecord() {
        ByteWriter out = new ByteWriter(16);
        out.putVarint(1);
        out.putVarint(1);
        out.putVarint(Long.MAX_VALUE); // tables
        assertThatThrownBy(() -> VersionEditDescriptor.decode(reader(out.toByteArray()), 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aStoreWithoutFilesIsNew() throws IOException {
        ManifestState state = Manifest.read(storage);
        assertThat(state.tables()).isEmpty();
        assertThat(state.nextFileNumber()).isEqualTo(1);
    }

    @Test
    void everyEditIsFoundAgain() throws IOException {
        try (Manifest manifest = start()) {
            manifest.append(VersionEdit.logs(new LogInfo(manifest.nextFileNumber(), 10), List.of()));
            manifest.append(VersionEdit.flush(
                    new WrittenRun(List.of(new TableInfo(2, 2, 3, 4, 5, 6, List.of()))), List.of(1L), 6));
        }
        ManifestState state = Manifest.read(storage);
        assertThat(state.logs()).isEmpty();
        assertThat(state.tables()).containsExactly(new TableInfo(2, 2, 3, 4, 5, 6, List.of()));
        assertThat(state.flushedSequence()).isEqualTo(6);
        assertThat(state.nextFileNumber()).isEqualTo(2);
    }

    @Test
    void aManifestThatHasGrownIsBegunAnewWithTheWholeState() throws IOException {
        List<TableInfo> tables = LongStream.range(0, 2_000)
                .mapToObj(i -> new TableInfo(i, i, i, i, 0, i, List.of()))
                .toList();
        int largest = 0;
        int rotations = 0;
        try (Manifest manifest = start()) {
            int before = 0;
            for (int i = 0; i < 60; i++) {
                manifest.append(VersionEdit.compaction(tables, List.of(5L)));
                int size = storage.bytes(FileNames.MANIFEST).length;
                rotations += size < before ? 1 : 0;
                largest = Math.max(largest, size);
                before = size;
            }
        }
        assertThat(rotations).isBetween(1, 10);
        assertThat(largest).isLessThan(1 << 20 | 1 << 17);
        assertThat(storage.list()).containsExactly(FileNames.MANIFEST);
        assertThat(Manifest.read(storage).tables()).isEqualTo(tables);
    }

    @Test
    void aStateThatIsLargerThanTheBoundIsNotWrittenAnewWithEveryEdit() throws IOException {
        List<TableInfo> tables = LongStream.range(0, 60_000)
                .mapToObj(i -> new TableInfo(i, i, i, i, 0, i, List.of()))
                .toList();
        try (Manifest manifest = start()) {
            manifest.append(VersionEdit.compaction(tables, List.of()));
            byte[] before = storage.bytes(FileNames.MANIFEST);
            manifest.append(VersionEdit.logs(new LogInfo(70_000, 1), List.of()));
            byte[] after = storage.bytes(FileNames.MANIFEST);
            assertThat(Arrays.equals(after, 0, before.length, before, 0, before.length))
                    .as("the file only grew")
                    .isTrue();
        }
    }

    /// A restart may or may not find it.
    @Test
    void anEditThatMayBeInTheFileIsTheLastOne() throws IOException {
        SimStorage disk = new SimStorage();
        try (Manifest manifest = new Manifest(disk, new Random(1), 1 << 20, new ManifestState())) {
            disk.fail(new Faults(Faults.Kind.EIO, call -> call.operation() == Call.Operation.WRITE));
            assertThatThrownBy(() -> manifest.append(VersionEdit.logs(new LogInfo(1, 1), List.of())))
                    .isInstanceOf(IOException.class);
            disk.fail(Faults.NONE);
            assertThatThrownBy(() -> manifest.append(VersionEdit.logs(new LogInfo(2, 2), List.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("restart to recover");
        }
        assertThat(Manifest.read(disk).logs()).isEmpty();
    }

    @Test
    void cutAtEveryByteOnlyWholeEditsCount() throws IOException {
        List<Integer> ends = new ArrayList<>();
        try (Manifest manifest = start()) {
            for (long log = 1; log <= 4; log++) {
                manifest.append(VersionEdit.logs(new LogInfo(log, log), List.of()));
                ends.add(storage.bytes(FileNames.MANIFEST).length - 32); // without the record that vouches
            }
        }
        byte[] whole = storage.bytes(FileNames.MANIFEST);
        int firstEdit = ends.getFirst() - EDIT_BYTES - 32; // the state that the file began with
        for (int cut = 0; cut < whole.length; cut++) {
            int size = cut;
            HeapStorage damaged = new HeapStorage().put(FileNames.MANIFEST, Arrays.copyOf(whole, cut));
            if (cut < firstEdit) {
                assertThatThrownBy(() -> Manifest.read(damaged))
                        .as("cut at %d", cut)
                        .isInstanceOf(EngineException.Corruption.class)
                        .hasMessageContaining("heap/MANIFEST");
            } else {
                assertThat(Manifest.read(damaged).logs()).as("cut at %d", cut).hasSize((int)
                        ends.stream().filter(end -> end <= size).count());
            }
        }
    }

    @Test
    void damageInTheLastEditIsNotTakenForATornTail() throws IOException {
        try (Manifest manifest = start()) {
            manifest.append(VersionEdit.logs(new LogInfo(1, 1), List.of()));
        }
        byte[] whole = storage.bytes(FileNames.MANIFEST);
        int edit = whole.length - 32 - EDIT_BYTES; // before the record that vouches
        HeapStorage damaged = new HeapStorage().put(FileNames.MANIFEST, whole);
        damaged.flipBit(FileNames.MANIFEST, (edit + 32) * 8L);
        assertThatThrownBy(() -> Manifest.read(damaged)).isInstanceOfSatisfying(EngineException.Corruption.class, e -> {
            assertThat(e.file()).isEqualTo("heap/MANIFEST");
            assertThat(e.offset()).isEqualTo(edit);
        });
    }

    @Test
    void withoutAManifestFilesAreRefusedRatherThanForgotten() throws IOException {
        for (String file : List.of(FileNames.log(3), FileNames.table(4))) {
            HeapStorage orphaned = new HeapStorage().put(file, new byte[10]);
            assertThatThrownBy(() -> Manifest.read(orphaned))
                    .isInstanceOf(EngineException.CannotOpen.class)
                    .hasMessageContaining("heap/MANIFEST is missing")
                    .hasMessageContaining(file);
        }
    }

    private Manifest start() throws IOException {
        return new Manifest(storage, new Random(5), 1 << 20, Manifest.read(storage));
    }

    private static ByteReader reader(byte[] bytes) {
        return new ByteReader(MemorySegment.ofArray(bytes));
    }
}
