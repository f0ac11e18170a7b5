package kvant.engine;

import java.nio.file.Path;

/// What an operator may ask of an open store, beside reading and writing. Reached by [Engine#maintenance].
///
/// Every call may take long and belongs to a thread of its own, never to an event loop. Calls that change something
/// run one after the other. Nothing here may be reached by a request from the network: the calls name files.
public interface Maintenance {

    /// Hears how far a long call has come, about once a second.
    interface Progress {
        /// @param text one line for a person
        void line(String text);
    }

    /// What the store consists of at this moment.
    Inspection inspect();

    /// Makes a consistent copy of the store: a complete data directory of its own. Everything that was acknowledged
    /// before the call is in it; writes go on meanwhile. Files are shared by hard links where the file system can.
    ///
    /// @param target must not exist; it appears when all of it is durable, or not at all
    /// @throws EngineException saying in one line why there is no copy; the store itself is never touched
    void checkpoint(Path target, Progress progress);

    /// Writes out what is in memory only and merges everything to one sorted run. Returns when that is done; if the
    /// caller gives up waiting, the merge goes on.
    ///
    /// @throws EngineException saying in one line what keeps it from being done
    void compact(Progress progress);
}
