package kvant.lsm.background;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import kvant.engine.Threads;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.FlushedMemtable;
import kvant.lsm.record.SnapshotVersions;
import kvant.lsm.store.Backlog;
import kvant.lsm.store.SealedMemtable;
import kvant.lsm.store.Store;
import kvant.lsm.store.StoreFigures;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.version.Levels;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.Version;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// The thread that flushes sealed memtables while requests are served. It gives way to requests while there is time,
/// unless a rate of merges is set. After a failure it tries again, and reports the failure in the meantime.
///
/// Open scans continue without the flushed memtable. A flush keeps the newest version of each key. Older versions
/// that scans see go into tables kept aside, which no manifest names and which are deleted with the last of these
/// scans. Most flushes need none: only a scan that was opened while the memtable was being filled may see older
/// versions.
public final class FlushThread {

    private static final Logger LOGGER = System.getLogger(FlushThread.class.getName());

    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

    /// Used share of the room for memtables up to which a flush rests: writes slow down a little later.
    private static final double MOST_ROOM_TO_REST = 0.5;

    private final Store store;
    private final TableInstaller tables;
    private final boolean givesWay;
    private final BackgroundFailure failures = new BackgroundFailure("flush", System::nanoTime);
    private final Thread thread;

    public FlushThread(Store store) {
        this.store = store;
        this.tables = store.tables();
        this.givesWay = store.options().compaction().givesWay();
        this.thread = Thread.ofPlatform().name("kvant-lsm-flush").unstarted(this::loop);
    }

    public void start() {
        thread.start();
    }

    /// Waits until the thread has ended, once the store is being closed.
    public void join() {
        Threads.join(List.of(thread));
    }

    private void loop() {
        for (SealedMemtable next = store.awaitSealed(); next != null; next = store.awaitSealed()) {
            try {
                flush(next);
                store.health().reportFlush(null);
            } catch (Throwable e) { // an error too: without this thread, writes would wait for ever
                store.health().reportFlush(failures.of(e));
                store.pause(RETRY_NANOS);
            }
        }
    }

    private void flush(SealedMemtable sealed) throws IOException {
        try (StoreFigures.Work work = store.figures().flush(sealed.memtable().bytes())) {
            long run = Levels.newestRun(store.nextFileNumber());
            WrittenRun written = tables.separatingWriter(pace(sealed), Set.of())
                    .flush(sealed.memtable().cursor(), run);
            FlushedMemtable flushed = install(sealed, written, run);
            try {
                work.done(0, written);
            } finally {
                moveOn(flushed);
            }
        }
        // Not left to merges, each of which may take long: a full disk needs the room.
        store.versions().obsolete().deleteLogs();
    }

    /// Installs a flush in the store, once the tables for open scans exist.
    ///
    /// @return for [#moveOn]
    private FlushedMemtable install(SealedMemtable sealed, WrittenRun written, long run) throws IOException {
        Memtable memtable = sealed.memtable();
        long[] snapshots = store.scans().snapshotsWithin(memtable);
        Version older = null;
        boolean installed = false;
        try {
            try {
                older = keep(memtable, snapshots);
            } catch (IOException | RuntimeException e) {
                // The scans hold the memtable until they end, or until they hold too much.
                LOGGER.log(Level.DEBUG, "scans hold a memtable that is flushed: {0}", e.getMessage());
                snapshots = new long[0];
            }
            Version version = tables.installFlush(sealed, written);
            installed = true;
            return new FlushedMemtable(memtable, snapshots, new FlushedMemtable.Tables(run, version, older));
        } finally {
            if (!installed && older != null) {
                older.release();
            }
        }
    }

    private @Nullable Version keep(Memtable memtable, long[] snapshots) throws IOException {
        if (snapshots.length == 0) {
            return null;
        }
        long run = Levels.newestRun(store.nextFileNumber());
        WrittenRun kept = tables.runWriter(_ -> store.refuseClosing())
                .write(new SnapshotVersions(memtable.cursor(), snapshots), run);
        return kept.isEmpty() ? null : store.versions().openAside(kept.tables());
    }

    /// Tells open scans of a flush, and gives back the store's hold of the memtable.
    private void moveOn(FlushedMemtable flushed) {
        try {
            store.scans().flushed(flushed);
        } finally {
            flushed.memtable().release();
            flushed.tables().release();
        }
    }

    private RunWriter.Pace pace(SealedMemtable sealed) {
        if (!givesWay || sealed.isAwaited()) {
            return _ -> store.refuseClosing();
        }
        Memtable next = store.active();
        FlushPace pace = new FlushPace(sealed.memtable().bytes(), next.bytes(), next.count(), System::nanoTime);
        return bytes -> {
            Memtable active = store.active();
            long restNanos = pace.restNanos(bytes, active.bytes(), active.count(), mayRest(active));
            store.figures().flushGaveWay(restNanos);
            store.pause(restNanos);
            store.refuseClosing();
        };
    }

    /// Whether the flush may rest: not if another memtable waits, or writes are about to wait, or the last of them
    /// are being accepted.
    private boolean mayRest(Memtable active) {
        Backlog.Amount backlog = store.backlog().now();
        return backlog.sealedMemtables() == 1
                && store.room().shareTaken(active, backlog) <= MOST_ROOM_TO_REST
                && !store.backlog().isDraining();
    }
}
