package kvant.lsm;

import java.io.IOException;
import kvant.engine.GroupCommit;
import kvant.engine.directory.ExpiryFile;
import kvant.lsm.background.Compactor;
import kvant.lsm.background.FlushThread;
import kvant.lsm.commit.CommitLog;
import kvant.lsm.recover.Recovery;
import kvant.lsm.store.Store;
import org.jspecify.annotations.Nullable;

/// The parts that have been opened so far while an engine is opened. When a later step fails, even by an error of
/// memory, all of them are closed, in the order in which an engine closes. Adding a part allocates nothing. For the
/// opening thread.
final class Opening implements AutoCloseable {

    @Nullable
    Recovery recovered; // its files are the store's as soon as there is one

    @Nullable
    Store store;

    @Nullable
    CommitLog log; // the commit thread's as soon as there is one

    @Nullable
    FlushThread flush;

    @Nullable
    Compactor compactor;

    @Nullable
    ExpiryFile expiry;

    @Nullable
    GroupCommit commits;

    private boolean complete;

    /// Hands all parts over to the engine, which closes them at its end.
    void complete() {
        complete = true;
    }

    @Override
    public void close() throws IOException {
        if (complete) {
            return;
        }
        try {
            endCommits();
        } finally {
            try {
                endThreads();
            } finally {
                closeFiles();
            }
        }
    }

    private void endCommits() {
        if (commits != null) {
            commits.close();
        } else if (log != null) {
            log.finish();
        }
    }

    private void endThreads() {
        if (store != null) {
            store.beginClose();
        }
        if (flush != null) {
            flush.join();
        }
        if (compactor != null) {
            compactor.join();
        }
        if (expiry != null) {
            expiry.close();
        }
    }

    private void closeFiles() throws IOException {
        if (store != null) {
            store.close();
        } else if (recovered != null) {
            recovered.versions().close();
        }
    }
}
