package kvant.lsm.read;

import kvant.lsm.store.Store;

/// Runs into a wall on purpose; see WallsTest.
public record ReadThatKnowsTheStore(Store knows1) {}
