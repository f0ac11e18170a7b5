package kvant.lsm.store;

import java.util.List;
import kvant.lsm.memtable.Memtable;

/// A memtable that takes no more writes, and the logs that hold its records.
///
/// @param isAwaited whether it was sealed for its flush, full or not: somebody waits for that, or for the room that it
/// makes
public record SealedMemtable(Memtable memtable, List<Long> logs, boolean isAwaited) {}
