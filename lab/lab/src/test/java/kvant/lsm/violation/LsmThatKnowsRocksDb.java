package kvant.lsm.violation;

import kvant.rocksdb.violation.RocksDbThatKnowsLsm;
import org.rocksdb.RocksDB;

/// Runs into a wall on purpose; see WallsTest.
public record LsmThatKnowsRocksDb(RocksDB knows1, RocksDbThatKnowsLsm knows2) {}
