package kvant.engine;

import java.nio.file.Path;

/// Operations on an open store besides reading and writing, for operators. Reached by [Engine#maintenance].
///
/// Every call may take long and belongs to a thread of its own, never to an event loop. Calls that change something
/// run one after the other. No request from the network may reach these: the calls name files.
public interface Maintenance {

    /// Receives the progress of a long call, about once a second.
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
    /// @throws EngineException saying in one line why there is no copy; the store itself never changes
    void checkpoint(Path target, Progress progress);

    /// Writes out what is in memory only and merges everything to one sorted run. Returns when that is done; if the
    /// caller stops waiting, the merge goes on. What was done before a failure stays done.
    ///
    /// @throws EngineException saying in one line what keeps it from being done
    void compact(Progress progress);
}
