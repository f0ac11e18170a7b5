package kvant.lsm.storage.violation;

import kvant.lsm.LsmOptions;

/// Runs into a wall on purpose; see WallsTest.
public record StorageWithoutAPlace(LsmOptions knows1) {}
