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

    /// A snapshot of the store's contents.
    Inspection inspect();

    /// Makes a consistent copy of the store: a complete data directory of its own, with all writes acknowledged
    /// before the call. Writes continue meanwhile. Files are shared by hard links where the file system can.
    ///
    /// @param target must not exist; it appears when all of it is durable, or not at all
    /// @throws EngineException with a one-line reason for the missing copy; the store itself never changes
    void checkpoint(Path target, Progress progress);

    /// Writes out the data that is only in memory and merges everything to one sorted run. Returns when that is done.
    /// If the caller stops waiting, the merge continues. Work done before a failure stays done.
    ///
    /// @throws EngineException with a one-line reason for the failure
    void compact(Progress progress);
}
