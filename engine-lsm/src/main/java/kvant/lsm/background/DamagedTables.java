package kvant.lsm.background;

import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import kvant.engine.EngineException;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.store.Quarantine;
import kvant.lsm.store.Store;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;
import kvant.lsm.version.Version;

/// Finds the table that a merge has failed on, puts it into [Quarantine], and checks it again when that is due. For
/// the compaction threads.
final class DamagedTables {

    private static final Logger LOGGER = System.getLogger(DamagedTables.class.getName());

    /// Records read between two checks for a close of the engine.
    private static final int CHECK_RECORDS = 1 << 12;

    private final Store store;
    private final Quarantine quarantine;

    DamagedTables(Store store) {
        this.store = store;
        this.quarantine = store.health().quarantine();
    }

    /// Looks for the reason of a failure in the tables that were read.
    ///
    /// @return whether it lies there, so that other merges may succeed
    boolean isCauseOf(Throwable failure, MergeTask task) {
        if (failure instanceof EngineException.Corruption damage) {
            for (long table : task.tables()) {
                if (isIn(damage, FileNames.table(table))) {
                    LOGGER.log(
                            Level.ERROR,
                            "{0}; merges continue without this table, which is retried periodically",
                            damage.getMessage());
                    quarantine.failed(table, damage);
                    return true;
                }
            }
            for (long file : task.emptied()) {
                if (isIn(damage, FileNames.values(file))) {
                    LOGGER.log(Level.ERROR, "{0}; merges leave its values where they are", damage.getMessage());
                    quarantine.failed(file, damage);
                    return true;
                }
            }
        }
        if (failure instanceof InternalError) { // of a mapping, in an instruction that knows no file
            quarantine.suspect(task.tables());
            quarantine.suspect(List.copyOf(task.emptied()));
            return true;
        }
        return false;
    }

    private boolean isIn(EngineException.Corruption damage, String file) {
        return damage.file().equals(store.storage().describe(file));
    }

    /// Reads a table through whose time has come.
    ///
    /// @return whether there was one
    boolean check() throws InterruptedIOException {
        Long due = quarantine.takeDue();
        if (due == null) {
            return false;
        }
        boolean told = false;
        Version version = store.readers().acquireVersion();
        try {
            readThrough(version, due);
            quarantine.readable(due);
            told = true;
            LOGGER.log(Level.INFO, "table {0} can be read and takes part in merges", due);
        } catch (EngineException.Corruption e) {
            quarantine.failed(due, e);
            told = true;
        } catch (InternalError e) {
            quarantine.failed(due, unreadable(version, due));
            told = true;
        } finally {
            if (!told) {
                quarantine.putBack(due);
            }
            store.readers().release(version);
        }
        return true;
    }

    /// The error for a file whose mapping could not be read.
    ///
    /// @param number of a table or value file
    EngineException.Corruption unreadable(Version version, long number) {
        for (ValueFileInfo file : version.valueFileInfos()) {
            if (file.number() == number) {
                return ReadFault.damage(store.storage(), FileNames.values(number), file.bytes(), 0);
            }
        }
        long bytes = version.tableInfo(number).bytes();
        return ReadFault.damage(store.storage(), FileNames.table(number), bytes, 0);
    }

    /// @param table or value file
    private void readThrough(Version version, long table) throws InterruptedIOException {
        ValueFile values = version.valueFile(table);
        if (values != null) {
            values.readThrough(store::refuseClosing);
        }
        RecordCursor records = version.checkingCursor(table);
        if (records == null) {
            return;
        }
        int count = 0;
        for (boolean more = records.seek(Keys.START); more; more = records.next()) {
            if (++count % CHECK_RECORDS == 0) {
                store.refuseClosing();
            }
        }
    }
}
