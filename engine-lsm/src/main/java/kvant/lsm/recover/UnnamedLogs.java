package kvant.lsm.recover;

import java.io.IOException;
import java.lang.foreign.Arena;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.ReadFault;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.ManifestState;
import kvant.lsm.wal.FileHeader;
import kvant.lsm.wal.RecordReader;
import kvant.lsm.wal.RecordType;

/// Logs that the manifest does not name. One holds nothing that is not in a table: it was flushed, or had not got a
/// record yet.
final class UnnamedLogs {

    private UnnamedLogs() {}

    /// One that holds more proves that the manifest has lost its end; to delete it as stray would lose what was
    /// acknowledged.
    ///
    /// @throws EngineException.Corruption naming the manifest, or a log that the disk cannot read
    static void refuseNewer(Storage storage, ManifestState state) throws IOException {
        for (String file : storage.list()) {
            Long number = FileNames.logNumber(file);
            boolean stray = number != null && !state.logs().contains(number);
            if (stray && holdsNewer(storage, file, state.flushedSequence())) {
                throw new EngineException.Corruption(
                        storage.describe(FileNames.MANIFEST),
                        0,
                        "its end is missing: it does not name " + file + ", which holds writes that no table has");
            }
        }
    }

    /// Whether a log holds a group with a higher number.
    static boolean holdsNewer(Storage storage, String file, long flushedSequence) throws IOException {
        long bytes = storage.size(file);
        try (Arena arena = Arena.ofConfined()) {
            RecordReader log = new RecordReader(storage.map(file, arena), FileHeader.Kind.LOG, storage.describe(file));
            while (log.next()) {
                if (log.type() == RecordType.GROUP && log.firstSequence() > flushedSequence) {
                    return true;
                }
            }
            return false;
        } catch (EngineException.Corruption _) {
            return false; // a crash while it was created, or while it was obsolete
        } catch (InternalError _) { // of the mapping: nobody knows what the log holds
            throw ReadFault.damage(storage, file, bytes, 0);
        }
    }
}
