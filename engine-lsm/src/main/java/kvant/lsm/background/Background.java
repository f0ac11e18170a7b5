package kvant.lsm.background;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.FlushedMemtable;
import kvant.lsm.read.SuperVersions;
import kvant.lsm.store.BackgroundView;
import kvant.lsm.store.Backlog;
import kvant.lsm.store.Changes;
import kvant.lsm.store.MemtableRoom;
import kvant.lsm.store.SealedMemtable;
import kvant.lsm.store.StoreFigures;
import kvant.lsm.store.StoreHealth;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.version.Levels;
import kvant.lsm.version.RunWriter;
import kvant.lsm.version.WrittenRun;

/// The threads that work while requests are served: one flushes sealed memtables, those of the [Compactor] merge
/// tables. All give way to requests while there is time, unless a rate of merges is given. All try again after a
/// failure, and say in the meantime what is wrong.
public final class Background {

    private static final long RETRY_NANOS = Duration.ofMillis(500).toNanos();

    /// Of the room for memtables. A flush rests only while no more is taken: writes slow down a little later.
    private static final double MOST_ROOM_TO_REST = 0.5;

    private final SuperVersions readers;
    private final TableInstaller tables;
    private final Changes changes;
    private final StoreHealth health;
    private final StoreFigures figures;
    private final SnapshotKeeper snapshots;
    private final MemtableRoom room;
    private final boolean givesWay;
    private final BackgroundFailure failures = new BackgroundFailure("flush", System::nanoTime);
    private final Thread flusher;
    private final Compactor compactor;

    public Background(BackgroundView store, BackgroundOptions options) {
        this.readers = store.readers();
        this.room = options.room();
        this.givesWay = options.compaction().givesWay();
        this.tables = store.tables();
        this.changes = store.changes();
        this.health = store.health();
        this.figures = store.figures();
        this.snapshots = new SnapshotKeeper(store.scans(), tables, changes);
        this.flusher = Thread.ofPlatform().name("kvant-lsm-flush").unstarted(this::flushLoop);
        this.compactor = new Compactor(store, options);
    }

    public void start() {
        flusher.start();
        compactor.start();
    }

    /// Waits until no memtable is left to flush and no table to merge, or the engine is being closed.
    public void awaitRest() {
        compactor.awaitRest();
    }

    /// Waits until all threads have ended, once the store is being closed.
    public void join() {
        boolean interrupted = false;
        List<Thread> threads = new ArrayList<>(compactor.threads());
        threads.add(flusher);
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void flushLoop() {
        for (SealedMemtable next = tables.awaitSealed(); next != null; next = tables.awaitSealed()) {
            try {
                flush(next);
                health.reportFlush(null);
            } catch (Throwable e) { // an error too: without this thread, writes would wait for ever
                health.reportFlush(failures.of(e));
                changes.pause(RETRY_NANOS);
            }
        }
    }

    private void flush(SealedMemtable sealed) throws IOException {
        try (StoreFigures.Work work = figures.flush(sealed.memtable().bytes())) {
            long run = Levels.newestRun(tables.nextFileNumber());
            WrittenRun written = tables.separatingWriter(pace(sealed))
                    .flush(sealed.memtable().cursor(), run);
            FlushedMemtable flushed = snapshots.install(sealed, written, run);
            try {
                work.done(0, written);
            } finally {
                snapshots.moveOn(flushed);
            }
        }
        tables.deleteObsoleteLogs(); // not left to merges, each of which may take long: a full disk needs the room
    }

    private RunWriter.Pace pace(SealedMemtable sealed) {
        if (!givesWay || sealed.isAwaited()) {
            return _ -> changes.refuseClosing();
        }
        Memtable next = readers.current().active();
        FlushPace pace = new FlushPace(sealed.memtable().bytes(), next.bytes(), next.count(), System::nanoTime);
        return bytes -> {
            Memtable active = readers.current().active();
            long restNanos = pace.restNanos(bytes, active.bytes(), active.count(), mayRest(active));
            figures.flushGaveWay(restNanos);
            changes.pause(restNanos);
            changes.refuseClosing();
        };
    }

    /// Not where another memtable waits, or writes are about to wait, or the last of them are being taken.
    private boolean mayRest(Memtable active) {
        Backlog backlog = changes.backlog().now();
        return backlog.sealedMemtables() == 1
                && room.shareTaken(active, backlog) <= MOST_ROOM_TO_REST
                && !changes.backlog().isDraining();
    }
}
