package kvant.lsm.recover;

import java.io.IOException;
import java.nio.file.Path;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogPair;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;
import kvant.lsm.store.StoreOptions;

/// The move of a store's logs to another place, while no engine has the store open.
///
/// No log is copied: the content of logs becomes tables first, so that the store has no logs at the moment when its
/// file `LOGS` is created or deleted. That single step decides. If interrupted before it, the logs are where they
/// were; after it, no log at the old place is needed. In both cases the move can be started again.
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
        files.syncDirectory(); // else a power cut could bring logs back that are never deleted
        pair.write(files);
        return new LogsApart(files, logs);
    }

    /// From a directory of their own into that of the tables.
    ///
    /// @param files the directory of the store
    /// @param logs where they are
    public static void back(Storage files, Storage logs, StoreOptions options) throws IOException {
        Recovery.retireLogs(new LogsApart(files, logs), options);
        logs.syncDirectory(); // else a power cut could bring logs back that are never deleted
        requireNone(logs);
        LogPair.delete(files);
        LogPair.delete(logs);
    }

    /// Refuses logs that could not be deleted: no later start would look for them.
    private static void requireNone(Storage left) throws IOException {
        for (String name : left.list()) {
            if (FileNames.isLog(name)) {
                throw new IOException("cannot delete " + left.describe(name) + ", which holds nothing any more");
            }
        }
    }
}
