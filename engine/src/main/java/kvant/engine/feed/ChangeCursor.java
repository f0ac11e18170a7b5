package kvant.engine.feed;

import kvant.engine.EngineException;

/// A position in the changes of a store. Belongs to one thread at a time.
///
/// Between two reads it holds no file and no memory of the engine, so that it keeps nothing alive, and needs no
/// close. The changes after it may be gone at the next read.
public interface ChangeCursor {

    /// Receives changes, in order.
    interface Sink {

        /// @param change that was applied
        /// @param more whether the next change was applied atomically with it: a batch is never cut, but
        ///     several batches may be reported as one
        void change(Change change, boolean more);
    }

    /// Reads further changes, and stops behind a version, or once the changes of this call have about this many
    /// bytes: at least one change is given where there is one.
    ///
    /// @param upTo last version; does not wait for changes that are not durable yet
    /// @throws EngineException.Gone when the engine no longer holds the change behind [#version]
    /// @throws EngineException.Io when a file cannot be read, or the thread is interrupted; [#version] is then the
    ///     last delivered change
    void read(long upTo, long bytes, Sink sink);

    /// The version of the last change that was given, or the one that it began behind.
    long version();
}
