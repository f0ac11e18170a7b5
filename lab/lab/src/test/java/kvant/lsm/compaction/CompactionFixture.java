package kvant.lsm.compaction;

/// Stands above the version in the LSM engine; see WallsTest.
public record CompactionFixture() {}
