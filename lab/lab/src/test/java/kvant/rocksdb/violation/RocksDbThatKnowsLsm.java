package kvant.rocksdb.violation;

import kvant.lsm.violation.LsmThatKnowsRocksDb;

/// Runs into a wall on purpose; see WallsTest.
public record RocksDbThatKnowsLsm(LsmThatKnowsRocksDb knows1) {}
