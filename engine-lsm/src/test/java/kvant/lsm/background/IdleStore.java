package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import kvant.engine.EngineException;
import kvant.engine.Samples;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.compaction.MergeUrgency;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.store.Store;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import kvant.lsm.value.ValueOptions;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// A store that no thread merges, so that a test says which merge begins and which one ends.
final class IdleStore implements AutoCloseable {

    static final long HEADROOM_BYTES = 1_000;

    private final SimStorage storage = new SimStorage();
    private final Store store;

    IdleStore() throws IOException {
        VersionSet versions =
                VersionSet.open(storage, new Random(1), 1 << 20, Manifest.read(storage), new TableContext(0));
        LsmOptions options = LsmOptions.defaults().with(o -> {
            o.table = new TableOptions(64, 300);
            o.headroomBytes = HEADROOM_BYTES;
            o.random = new Random(1);
        });
        Store.Parts parts =
                new Store.Parts(() -> new ArenaMemtable(100), _ -> 0, ExpiryClock.of(InstantSource.system()));
        store = new Store(storage, options, parts, versions, new ArenaMemtable(100), 0);
    }

    Store store() {
        return store;
    }

    void setUsableBytes(long bytes) {
        storage.setUsableBytes(bytes);
    }

    CompactionScheduler claims(Leveled picker, int threads) {
        return new CompactionScheduler(
                store, new CompactionOptions(picker, threads, 0), MergeUrgency.before(20, 1 << 30), () -> false);
    }

    /// Puts a record into a run whose value lies in a value file.
    ///
    /// @return what was written
    WrittenRun writeSeparated(long run, String key) throws IOException {
        byte[] value = new byte[(int) ValueOptions.DEFAULT.separateBytes()];
        WrittenRun written = store.tables()
                .separatingWriter(_ -> {}, Set.of())
                .write(
                        new ListCursor(List.of(new ListCursor.Entry(Samples.bytes(key), Tag.of(1, Tag.PUT), value))),
                        run);
        install(VersionEdit.compaction(written, List.of()));
        return written;
    }

    /// Puts tables into a run.
    ///
    /// @param from number of the first key, which has this sequence number too
    /// @param to number behind the last key
    List<TableInfo> write(long run, long from, long to) throws IOException {
        List<ListCursor.Entry> records = new ArrayList<>();
        for (long i = from; i < to; i++) {
            records.add(new ListCursor.Entry(
                    Samples.bytes("key-%03d".formatted(i % 1_000)), Tag.of(1 + i, Tag.PUT), new byte[20]));
        }
        List<TableInfo> tables = store.tables()
                .runWriter(_ -> {})
                .flush(new ListCursor(records), run)
                .tables();
        install(VersionEdit.compaction(tables, List.of()));
        return tables;
    }

    void install(VersionEdit edit) throws IOException {
        store.apply(edit);
    }

    /// Ends a task whose only running part this is.
    void end(CompactionScheduler claims, MergeTask task, boolean carriedThrough, @Nullable EngineException failure) {
        assertThat(claims.endPart(task, carriedThrough, failure)).isTrue();
        store.readers().release(task.version());
        claims.giveBack(task, carriedThrough, failure);
    }

    @Override
    public void close() throws IOException {
        store.beginClose();
        store.close();
        assertThat(storage.openMaps()).as("versions that are held").isZero();
    }
}
