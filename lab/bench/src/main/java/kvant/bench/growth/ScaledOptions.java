package kvant.bench.growth;

import kvant.engine.GroupCommit;
import kvant.lsm.LsmOptions;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;

/// Options with which a store has the shape of a larger one: as many tables, in the same levels, each of which is
/// smaller.
final class ScaledOptions {

    private ScaledOptions() {}

    /// The defaults with tables and levels that are so many times smaller. Memtables, and so the log that a start
    /// replays, have their usual size.
    static LsmOptions of(int scale) {
        LsmOptions usual = LsmOptions.defaults();
        return usual.with(o -> {
            o.table = o.table.withTableBytes(scaled(o.table.tableBytes(), scale));
            o.compaction = new CompactionOptions(
                    Leveled.above(scaled(usual.memtableBytes(), scale)),
                    o.compaction.threads(),
                    o.compaction.bytesPerSecond());
        });
    }

    /// The same with memtables that are as much smaller, and groups, which are what a memtable can be too large by.
    static LsmOptions ofFlushesToo(int scale) {
        return of(scale).with(o -> {
            o.memtableBytes = scaled(o.memtableBytes, scale);
            o.commit = new GroupCommit.Options(o.commit.maxPendingBytes(), scaled(o.commit.maxGroupBytes(), scale));
        });
    }

    private static long scaled(long bytes, int scale) {
        return Math.max(1, bytes / scale);
    }
}
