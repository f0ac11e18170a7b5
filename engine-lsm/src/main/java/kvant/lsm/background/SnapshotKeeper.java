package kvant.lsm.background;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.read.FlushedMemtable;
import kvant.lsm.read.Scans;
import kvant.lsm.record.SnapshotVersions;
import kvant.lsm.store.Changes;
import kvant.lsm.store.SealedMemtable;
import kvant.lsm.store.TableInstaller;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Version;
import kvant.lsm.version.WrittenRun;
import org.jspecify.annotations.Nullable;

/// Lets open scans go on without a memtable that is flushed. A flush keeps the newest version of each key; what else
/// scans see of the memtable goes into tables aside, which no manifest names and which end with the last of these
/// scans. Most flushes need none: only a scan that was opened while the memtable was being filled may see older
/// versions.
///
/// Belongs to the flush thread.
final class SnapshotKeeper {

    private static final Logger LOGGER = System.getLogger(SnapshotKeeper.class.getName());
    private static final long[] NONE = {};

    private final Scans scans;
    private final TableInstaller tables;
    private final Changes changes;

    SnapshotKeeper(Scans scans, TableInstaller tables, Changes changes) {
        this.scans = scans;
        this.tables = tables;
        this.changes = changes;
    }

    /// Makes a flush part of the store, once there is what scans need beside it.
    ///
    /// @return for [#moveOn]
    FlushedMemtable install(SealedMemtable sealed, WrittenRun written, long run) throws IOException {
        Memtable memtable = sealed.memtable();
        long[] snapshots = scans.snapshotsWithin(memtable);
        Version older = null;
        boolean installed = false;
        try {
            try {
                older = keep(memtable, snapshots);
            } catch (IOException | RuntimeException e) {
                // The scans hold the memtable until they end, or until they hold too much.
                LOGGER.log(Level.DEBUG, "scans hold a memtable that is flushed: {0}", e.getMessage());
                snapshots = NONE;
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
        long run = Levels.newestRun(tables.nextFileNumber());
        WrittenRun kept = tables.runWriter(_ -> changes.refuseClosing())
                .write(new SnapshotVersions(memtable.cursor(), snapshots), run);
        return kept.isEmpty() ? null : tables.openAside(kept.tables());
    }

    /// Tells open scans of a flush, and gives back the store's hold of the memtable.
    void moveOn(FlushedMemtable flushed) {
        try {
            scans.flushed(flushed);
        } finally {
            flushed.memtable().release();
            flushed.tables().release();
        }
    }
}
