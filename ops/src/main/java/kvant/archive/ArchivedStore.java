package kvant.archive;

import java.io.IOException;
import java.nio.file.Path;
import kvant.engine.feed.ChangeFeed;

/// A store that is archived.
public interface ArchivedStore {

    /// Its data directory.
    Path data();

    ChangeFeed changes();

    /// Work on a checkpoint while that exists.
    interface Work {

        /// @param version of the newest change in it
        void with(Path checkpoint, long version) throws IOException;
    }

    /// Makes a checkpoint, does the work, and deletes the checkpoint.
    void checkpoint(Work work) throws IOException;
}
