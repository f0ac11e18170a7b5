package kvant.lsm.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import kvant.engine.Samples;
import kvant.engine.kit.ExpiryClock;
import kvant.lsm.LsmOptions;
import kvant.lsm.memtable.ArenaMemtable;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.Tag;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableOptions;
import kvant.lsm.version.Levels;
import kvant.lsm.version.LogInfo;
import kvant.lsm.version.Manifest;
import kvant.lsm.version.VersionEdit;
import kvant.lsm.version.VersionSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Edits become part of the store one after the other, and only the next edit waits for the disk meanwhile.
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EditOrderTest {

    private final HeldStorage storage = new HeldStorage();
    private Runnable allocation = () -> {};
    private Runnable publication = () -> {};
    private Store store;

    @BeforeEach
    void open() throws IOException {
        VersionSet versions =
                VersionSet.open(storage, new Random(1), 1 << 20, Manifest.read(storage), new TableContext(0));
        LsmOptions options = LsmOptions.defaults().with(o -> {
            o.table = new TableOptions(64, 300);
            o.headroomBytes = 0;
            o.random = new Random(1);
        });
        Store.Parts parts = new Store.Parts(this::allocate, _ -> debtBytes(), ExpiryClock.of(InstantSource.system()));
        store = new Store(storage, options, parts, versions, new ArenaMemtable(100), 0);
    }

    @AfterEach
    void close() throws IOException {
        store.beginClose();
        store.close();
    }

    @Test
    void aLogBeginsWhileTablesAreBeingOpened() throws Exception {
        storage.holdTables();
        Thread flush = Thread.ofPlatform().start(this::installTable);
        storage.awaitHeld();
        beginLog(100);
        assertThat(store.logs()).containsExactly(100L);
        storage.release();
        flush.join();
        assertThat(store.readers().current().version().runs()).hasSize(1);
    }

    @Test
    void theLockIsFreeWhileTheManifestIsBeingSynced() throws Exception {
        storage.holdManifest();
        Thread flush = Thread.ofPlatform().start(this::installTable);
        storage.awaitHeld();
        store.signal(); // under the lock
        store.seal(List.of(), false);
        assertThat(store.nextFileNumber()).isPositive();
        assertThat(store.logs()).isEmpty();
        assertThat(store.readers().current().version().runs())
                .as("not durable yet")
                .isEmpty();
        storage.release();
        flush.join();
        assertThat(store.readers().current().version().runs()).hasSize(1);
    }

    @Test
    void theLockIsFreeWhileAMemtableIsAllocated() {
        AtomicBoolean free = new AtomicBoolean();
        allocation = () -> free.set(takesTheLock());
        store.seal(List.of(), false);
        assertThat(free).isTrue();
    }

    @Test
    void oneEditAtATimeIsWritten() throws Exception {
        storage.holdManifest();
        Thread first = Thread.ofPlatform().start(() -> beginLog(100));
        storage.awaitHeld();
        Thread second = Thread.ofPlatform().start(() -> beginLog(101));
        await().atMost(Duration.ofNanos(Samples.timeoutNanos()))
                .until(() -> storage.manifestWriters() > 1 || second.getState() == Thread.State.WAITING);
        assertThat(storage.manifestWriters()).isEqualTo(1);
        storage.release();
        first.join();
        second.join();
        assertThat(store.logs()).containsExactly(100L, 101L);
        assertThat(Manifest.read(storage).logs()).containsExactly(100L, 101L);
    }

    /// The next edit would be made from what is in memory, which lags behind the manifest: of two merges of the same
    /// tables, both would be part of the store after a restart.
    @Test
    void afterAnEditThatIsDurableAndCouldNotBeInstalledThereIsNoOther() throws IOException {
        publication = () -> {
            throw new OutOfMemoryError("simulated");
        };
        assertThatThrownBy(this::installTable).isInstanceOf(OutOfMemoryError.class);
        publication = () -> {};
        assertThatThrownBy(() -> store.tables().runWriter(_ -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("restart to recover");
        assertThatThrownBy(() -> beginLog(100)).hasRootCauseInstanceOf(IOException.class);
        assertThat(Manifest.read(storage).tables()).as("for the next start").hasSize(1);
        assertThat(Manifest.read(storage).logs()).isEmpty();
    }

    private long debtBytes() {
        publication.run();
        return 0;
    }

    private Memtable allocate() {
        allocation.run();
        return new ArenaMemtable(100);
    }

    /// Whether another thread gets the lock meanwhile.
    private boolean takesTheLock() {
        Thread other = Thread.ofPlatform().daemon().start(store::signal);
        try {
            return other.join(Duration.ofNanos(Samples.timeoutNanos()));
        } catch (InterruptedException _) {
            return false;
        }
    }

    private void beginLog(long number) {
        try {
            store.addLog(VersionEdit.logs(new LogInfo(number, 7), List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void installTable() {
        try {
            TableInstaller tables = store.tables();
            long run = Levels.newestRun(store.nextFileNumber());
            ListCursor records = new ListCursor(
                    List.of(new ListCursor.Entry(Samples.bytes("key"), Tag.of(1, Tag.PUT), Samples.bytes("value"))));
            store.apply(VersionEdit.compaction(tables.runWriter(_ -> {}).write(records, run), List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
