package kvant.engine.feed;

import kvant.engine.EngineException;

/// The changes of a store, in the order in which they were applied, for as long as the engine holds them.
///
/// A change is reported only once it is durable and visible, so that a power cut cannot take it back. The version of
/// a change is that of its write. So the version that a client got for a write is a position in the feed. Any thread
/// may call, but [#await] one at a time.
public interface ChangeFeed {

    /// The version of the newest change that can be reported; 0 before the first.
    long newest();

    /// The version of the newest change that reads see. It is reported once it is durable, too. A scan begun before
    /// this call shows nothing newer.
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

    /// Reports that an archive has all changes up to a version, so that the engine need not hold them for it any
    /// longer. An engine that holds nothing for an archive does nothing.
    default void copied(long version) {}
}
