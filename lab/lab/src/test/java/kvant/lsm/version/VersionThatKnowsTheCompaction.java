package kvant.lsm.version;

import kvant.lsm.compaction.CompactionFixture;

/// Runs into a wall on purpose; see WallsTest.
public record VersionThatKnowsTheCompaction(CompactionFixture knows1) {}
