package kvant.lsm.recover;

import java.io.IOException;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.version.ManifestState;
import kvant.lsm.wal.LogPlaces;

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
            if (number != null
                    && !state.logs().contains(number)
                    && LogPlaces.holdsGroup(storage, number, state.flushedSequence())) {
                throw new EngineException.Corruption(
                        storage.describe(FileNames.MANIFEST),
                        0,
                        "its end is missing: it does not name " + file + ", which holds writes that no table has");
            }
        }
    }
}
