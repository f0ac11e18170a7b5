package kvant.engine.feed;

import kvant.engine.EngineException;

/// A place among the changes of a store. Belongs to one thread at a time.
///
/// Between two reads it holds no file and no memory of the engine, so that it keeps nothing alive, and needs
/// no close. What it stands before may be gone when it is read on.
public interface ChangeCursor {

    /// Receives changes, in order.
    interface Sink {

        /// @param change that was applied
        /// @param more whether the change behind it was applied in the same moment: a batch is never cut, but
        ///     several batches may be told as one
        void change(Change change, boolean more);
    }

    /// Reads on, and stops behind a version, or once the changes of this call have about so many bytes: at
    /// least one change is given where there is one.
    ///
    /// @param upTo where to stop; changes that are not durable yet are not waited for
    /// @throws EngineException.Gone when the engine no longer holds the change behind [#version]
    /// @throws EngineException.Io when a file cannot be read, or the thread is interrupted; [#version] says
    ///     what was given
    void read(long upTo, long bytes, Sink sink);

    /// The version of the last change that was given, or the one that it began behind.
    long version();
}
