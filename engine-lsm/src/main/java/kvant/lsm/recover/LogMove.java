package kvant.lsm.recover;

import java.io.IOException;
import java.nio.file.Path;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogPair;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.store.StoreOptions;

/// Has the logs of a store be in another place from now on, while no engine has it open.
///
/// No log is copied: what logs hold becomes tables first, so that the store has none at the moment when its
/// file `LOGS` comes or goes. That is the one step that counts. Cut off before it, the logs are where they
/// were; behind it, there is no log at the old place that anybody needs. Either way it can be begun again.
public final class LogMove {

    private LogMove() {}

    /// From the directory of the tables into one of their own.
    ///
    /// @param files the directory of the store
    /// @param logs holds no log, and is for this store alone
    /// @param pair as the store is to have it
    /// @param store where it is
    public static Storage out(Storage files, Storage logs, LogPair pair, Path store, StoreOptions options)
            throws IOException {
        new LogPair(pair.id(), store).write(logs); // first: what the store names has to be there
        Recovery.retireLogs(files, options);
        requireNone(files);
        files.syncDirectory(); // else a power cut could bring logs back that nobody will look after
        pair.write(files);
        return new LogsApart(files, logs);
    }

    /// From a directory of their own into that of the tables.
    ///
    /// @param files the directory of the store
    /// @param logs where they are
    public static void back(Storage files, Storage logs, StoreOptions options) throws IOException {
        Recovery.retireLogs(new LogsApart(files, logs), options);
        logs.syncDirectory(); // else a power cut could bring logs back that nobody will look after
        requireNone(logs);
        LogPair.delete(files);
        LogPair.delete(logs);
    }

    /// Nobody would look after one that could not be deleted.
    private static void requireNone(Storage left) throws IOException {
        for (String name : left.list()) {
            if (FileNames.isLog(name)) {
                throw new IOException("cannot delete " + left.describe(name) + ", which holds nothing any more");
            }
        }
    }
}
