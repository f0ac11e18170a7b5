package kvant.engine.feed;

import kvant.engine.Mutation;

/// One change of a store.
///
/// @param version assigned by the write; larger than the versions of all earlier changes
/// @param mutation the put or delete
public record Change(long version, Mutation mutation) {}
