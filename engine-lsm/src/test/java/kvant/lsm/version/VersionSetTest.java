package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Versions, their references, and the life of the files that they hold.
class VersionSetTest {

    private static final byte[] START = {};

    private final HeapStorage storage = new HeapStorage();
    private VersionSet versions;

    @BeforeEach
    void open() throws IOException {
        versions = VersionSet.open(storage, new Random(1), 1 << 20, Manifest.read(storage), new TableContext(0));
    }

    @AfterEach
    void close() throws IOException {
        versions.close();
    }

    @Test
    void aReplacedTableIsDeletedWhenItsLastVersionIsReleasedAndNotBefore() throws IOException {
        TableInfo first = addTable("a");
        Version held = versions.current();
        assertThat(held.acquire()).isTrue();
        assertThat(held.acquire()).isTrue();
        assertThat(held.retiredFiles()).isEmpty();
        assertThat(versions.obsolete().heldBytes()).isZero();
        replace(first, "b");
        versions.obsolete().delete();
        assertThat(storage.list()).contains(file(first));
        assertThat(held.retiredFiles()).isEqualTo(Map.of(first.number(), first.bytes()));
        assertThat(versions.current().retiredFiles()).isEmpty();
        assertThat(versions.obsolete().heldBytes()).isEqualTo(first.bytes());
        held.release();
        versions.obsolete().delete();
        assertThat(storage.list()).as("one reference is left").contains(file(first));
        held.release();
        assertThat(versions.obsolete().heldBytes()).as("nobody holds it").isZero();
        assertThat(storage.list()).as("deleting is the compaction thread's").contains(file(first));
        versions.obsolete().delete();
        assertThat(storage.list()).doesNotContain(file(first));
        assertThat(held.acquire()).as("the dead stay dead").isFalse();
    }

    @Test
    void aTableThatANewerVersionHoldsTooStays() throws IOException {
        TableInfo first = addTable("a");
        addTable("b");
        addTable("c");
        versions.obsolete().delete();
        assertThat(storage.list()).contains(file(first));
        assertThat(versions.current().runs()).hasSize(3);
    }

    @Test
    void aSlowCursorKeepsItsSnapshotAcrossManyReplacementsAndItsFilesAreFreedAtItsEnd() throws IOException {
        TableInfo current = addTable("0");
        Version held = versions.current();
        assertThat(held.acquire()).isTrue();
        RecordCursor cursor = held.runs().getFirst().cursor();
        assertThat(cursor.seek(START)).isTrue();
        for (int i = 1; i <= 50; i++) {
            current = replace(current, String.valueOf(i));
            versions.obsolete().delete();
        }
        assertThat(Samples.text(cursor.key())).isEqualTo("key");
        assertThat(Samples.text(cursor.storedValue())).isEqualTo("0");
        assertThat(tables()).as("the cursor's, and the current one").isEqualTo(2);
        held.release();
        versions.obsolete().delete();
        assertThat(tables()).isEqualTo(1);
    }

    @Test
    void runsAreNewestFirstAndAMergedRunTakesThePlaceOfItsNewestInput() throws IOException {
        TableInfo oldest = addTable("1");
        TableInfo middle = addTable("2");
        TableInfo newest = addTable("3");
        TableInfo merged = write("m", middle.run());
        versions.apply(VersionEdit.compaction(List.of(merged), List.of(middle.number(), oldest.number())));
        assertThat(versions.current().runs().stream().map(Run::id)).containsExactly(newest.run(), middle.run());
    }

    @Test
    void aMovedTableIsTheSameFileInAnotherRunForAsLongAsAnyVersionHoldsIt() throws IOException {
        TableInfo table = addTable("a");
        Version before = versions.current();
        assertThat(before.acquire()).isTrue();
        versions.apply(VersionEdit.compaction(List.of(table.inRun(Levels.runOf(6))), List.of(table.number())));
        assertThat(versions.current().runs().stream().map(Run::id)).containsExactly(Levels.runOf(6));
        assertThat(Manifest.read(storage).tables()).containsExactly(table.inRun(Levels.runOf(6)));
        assertThat(before.retiredFiles()).isEmpty();
        before.release();
        versions.obsolete().delete();
        assertThat(storage.list()).contains(file(table));
        RecordCursor cursor = versions.current().runs().getFirst().cursor();
        assertThat(cursor.seek(START)).as("the file is still open").isTrue();
        replace(table.inRun(Levels.runOf(6)), "b");
        versions.obsolete().delete();
        assertThat(storage.list()).doesNotContain(file(table));
    }

    @Test
    void obsoleteLogsAreDeleted() throws IOException {
        storage.create(FileNames.log(1)).close();
        versions.apply(VersionEdit.logs(new LogInfo(1, 7), List.of()));
        versions.apply(VersionEdit.logs(new LogInfo(2, 8), List.of(1L)));
        versions.obsolete().delete();
        assertThat(storage.list()).doesNotContain(FileNames.log(1));
    }

    @Test
    void anEditWhoseTableCannotBeOpenedChangesNothing() throws IOException {
        TableInfo first = addTable("a");
        TableInfo missing = new TableInfo(99, 99, 1, 100, 0, 1, List.of());
        assertThatThrownBy(() -> versions.apply(VersionEdit.compaction(List.of(missing), List.of(first.number()))))
                .isInstanceOf(IOException.class);
        assertThat(versions.current().runs()).hasSize(1);
        assertThat(Manifest.read(storage).hasTable(first.number())).isTrue();
    }

    @Test
    void anEditAfterWhichTablesOfARunWouldOverlapIsRefusedAndTheStoreGoesOn() throws IOException {
        TableInfo first = addTable("a");
        TableInfo second = write("b", first.run());
        assertRefused(VersionEdit.compaction(List.of(second), List.of()));
        assertThat(storage.list()).as("it was made in vain").doesNotContain(file(second));

        TableInfo other = addTable("c");
        assertRefused(VersionEdit.compaction(List.of(other.inRun(first.run())), List.of(other.number())));
        assertThat(storage.list()).as("it is where it was").contains(file(other));
        assertThat(versions.current().runs()).hasSize(2);

        replace(first, "d");
        assertThat(Samples.text(valueOf(versions.current().runs().getLast()))).isEqualTo("d");
    }

    @Test
    void tablesOfOneEditMayNotOverlapEither() throws IOException {
        addTable("a");
        assertRefused(VersionEdit.compaction(List.of(write("b", 77), write("c", 77)), List.of()));
    }

    @Test
    void tablesOfARunThatShareNoKeyAreNoReasonToRefuse() throws IOException {
        TableInfo middle = write("b", "m", 77);
        versions.apply(VersionEdit.compaction(List.of(middle), List.of()));
        versions.apply(VersionEdit.compaction(List.of(write("c", "m", 77), write("a", "m", 77)), List.of()));
        versions.apply(VersionEdit.compaction(List.of(write("b", "m", 77)), List.of(middle.number())));
        assertThat(versions.current().runs()).hasSize(1);
        assertThat(tables()).isEqualTo(4);
    }

    /// By a version that did not refuse it.
    @Test
    void aRunWhoseTablesOverlapAlreadyMayBeMerged() throws IOException {
        TableInfo one = write("key", "a", 77);
        TableInfo other = write("key", "b", 78);
        versions.apply(VersionEdit.compaction(List.of(one, other), List.of()));
        versions.close();
        ManifestState state = Manifest.read(storage);
        state.apply(VersionEdit.compaction(List.of(other.inRun(77)), List.of(other.number())));
        versions = VersionSet.open(storage, new Random(1), 1 << 20, state, new TableContext(0));

        versions.apply(VersionEdit.compaction(List.of(write("aaa", "c", 77)), List.of()));
        assertRefused(VersionEdit.compaction(List.of(write("key", "d", 77)), List.of(one.number())));
        versions.apply(VersionEdit.compaction(List.of(write("key", "d", 77)), List.of(one.number(), other.number())));
        assertThat(versions.current().runs().getFirst().tableInfos()).hasSize(2);
    }

    private void assertRefused(VersionEdit edit) {
        List<TableInfo> before = versions.state().tables();
        assertThatThrownBy(() -> versions.apply(edit))
                .isInstanceOf(EngineException.Io.class)
                .hasMessageContaining("would overlap in run");
        assertThat(versions.state().tables()).isEqualTo(before);
    }

    private static byte[] valueOf(Run run) {
        RecordCursor cursor = run.cursor();
        assertThat(cursor.seek(START)).isTrue();
        return cursor.storedValue();
    }

    @Test
    void anotherStartFindsTheSameState() throws IOException {
        TableInfo first = addTable("a");
        versions.apply(VersionEdit.logs(new LogInfo(7, 70), List.of()));
        ManifestState state = Manifest.read(storage);
        assertThat(state.tables()).containsExactly(first);
        assertThat(state.logs()).containsExactly(7L);
        assertThat(state.isLog(7, 70)).isTrue();
        assertThat(state.isLog(7, 71)).isFalse();
        assertThat(state.isLog(8, 70)).isFalse();
    }

    private TableInfo addTable(String value) throws IOException {
        TableInfo table = write(value, versions.nextFileNumber());
        versions.apply(VersionEdit.flush(new WrittenRun(List.of(table)), List.of(), table.lastSequence()));
        return table;
    }

    private TableInfo replace(TableInfo old, String value) throws IOException {
        TableInfo table = write(value, old.run());
        versions.apply(VersionEdit.compaction(List.of(table), List.of(old.number())));
        return table;
    }

    private TableInfo write(String value, long run) throws IOException {
        return write("key", value, run);
    }

    private TableInfo write(String key, String value, long run) throws IOException {
        Entry entry = new Entry(Samples.bytes(key), Tag.of(1, Tag.PUT), Samples.bytes(value));
        return new RunWriter(storage, new Random(run), versions::nextFileNumber, new TableOptions(100, 1_000), _ -> {})
                .write(new ListCursor(List.of(entry)), run)
                .tables()
                .getFirst();
    }

    private long tables() {
        return storage.list().stream()
                .filter(name -> FileNames.tableNumber(name) != null)
                .count();
    }

    private static String file(TableInfo table) {
        return FileNames.table(table.number());
    }
}
