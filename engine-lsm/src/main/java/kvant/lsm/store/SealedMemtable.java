package kvant.lsm.store;

import java.util.List;
import kvant.lsm.memtable.Memtable;

/// A memtable that accepts no more writes, and the logs that hold its records.
///
/// @param isAwaited whether it was sealed for the sake of its flush, full or not: a caller waits for the flush, or
///     for the room that it makes
public record SealedMemtable(Memtable memtable, List<Long> logs, boolean isAwaited) {}
