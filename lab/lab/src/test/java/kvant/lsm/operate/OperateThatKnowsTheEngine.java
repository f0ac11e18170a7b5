package kvant.lsm.operate;

import kvant.lsm.LsmEngine;

/// Runs into a wall on purpose; see WallsTest.
public record OperateThatKnowsTheEngine(LsmEngine knows1) {}
