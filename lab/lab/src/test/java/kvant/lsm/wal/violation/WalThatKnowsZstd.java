package kvant.lsm.wal.violation;

import com.github.luben.zstd.ZstdException;

/// Runs into a wall on purpose; see LibrariesTest.
public record WalThatKnowsZstd(ZstdException knows) {}
