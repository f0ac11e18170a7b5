package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;
import kvant.lsm.compaction.CompactionOptions;
import kvant.lsm.compaction.Leveled;
import kvant.lsm.table.TableOptions;

/// The LSM engine with sizes so small that every test flushes, splits tables and merges runs.
class TinyLsmEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return LsmEngine.open(
                directory, LsmOptions.defaults().withDurability(durability).with(o -> {
                    o.memtableBytes = 300 << 10;
                    o.table = new TableOptions(128, 4 << 10);
                    o.compaction = new CompactionOptions(new Leveled(2, 600 << 10, 3), 2, 0);
                }));
    }
}
