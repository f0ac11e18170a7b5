package kvant.lsm.wal.violation;

import net.jpountz.lz4.LZ4Factory;

/// Runs into a wall on purpose; see LibrariesTest.
public record WalThatKnowsLz4(LZ4Factory knows) {}
