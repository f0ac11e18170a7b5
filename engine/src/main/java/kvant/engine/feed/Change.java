package kvant.engine.feed;

import kvant.engine.Mutation;

/// One change of a store.
///
/// @param version that the write gave it; the version of a change is larger than those of all before it
/// @param mutation what was done
public record Change(long version, Mutation mutation) {}
