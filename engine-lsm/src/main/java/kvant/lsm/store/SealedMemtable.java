package kvant.lsm.store;

import java.util.List;
import kvant.lsm.memtable.Memtable;

/// A memtable that takes no more writes, and the logs that hold its records.
public record SealedMemtable(Memtable memtable, List<Long> logs) {}
