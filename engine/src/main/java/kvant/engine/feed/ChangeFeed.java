package kvant.engine.feed;

import kvant.engine.EngineException;

/// The changes of a store, in the order in which they were applied, for as long as the engine holds them.
///
/// A change is told once it is durable and visible, never before: what a power cut can take back is not told.
/// The version of a change is that of the write that made it, so that a version that a client was given by a
/// write is a place in the feed. Any thread may call, but [#await] one at a time.
public interface ChangeFeed {

    /// The version of the newest change that can be told; 0 before the first.
    long newest();

    /// The version of the newest change that reads see. It is told once it is durable too. No scan that was begun
    /// before this is asked shows anything newer.
    long visible();

    /// Begins behind a version. Costs nothing until it is read from.
    ///
    /// @param version that the reader has; 0 for none
    /// @throws EngineException.Gone when the store has not given this version yet: it is of another store
    /// @throws IllegalArgumentException when it is negative
    ChangeCursor after(long version);

    /// Waits until there is something newer than a version, at most for so long. It may return early, and does at
    /// once when the engine is closed.
    void await(long version, long nanos) throws InterruptedException;

    /// An archive has all up to a version: what the engine holds of changes for its sake may go that far. An engine
    /// that holds nothing for an archive does nothing.
    default void copied(long version) {}
}
