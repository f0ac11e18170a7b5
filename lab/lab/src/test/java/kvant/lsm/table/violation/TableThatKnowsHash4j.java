package kvant.lsm.table.violation;

import com.dynatrace.hash4j.hashing.Hasher64;

/// Runs into a wall on purpose; see LibrariesTest.
public record TableThatKnowsHash4j(Hasher64 knows) {}
