package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.table.TableOptions;

/// The LSM engine with flushes in the foreground and reads under one lock, in sizes so small that every test flushes.
class PublishedWayLsmEngineTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        return LockedReads.open(
                directory, LsmOptions.defaults().withDurability(durability).with(o -> {
                    o.flush = LsmOptions.Flush.FOREGROUND;
                    o.memtableBytes = 300 << 10;
                    o.table = new TableOptions(128, 4 << 10);
                    o.compaction = new CompactionOptions(new Leveled(2, 600 << 10, 3), 2, 0);
                }));
    }
}
