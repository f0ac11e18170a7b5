package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.lsm.memtable.Memtable;

/// The LSM engine with the memtable that it is measured against.
class SkipListMapLsmEngineTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        return LsmEngine.open(
                directory, LsmOptions.defaults().withDurability(durability).with(o -> {
                    o.memtable = Memtable.Kind.SKIP_LIST_MAP;
                    o.memtableBytes = 100 << 10;
                }));
    }
}
