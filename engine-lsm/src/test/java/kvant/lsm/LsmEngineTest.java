package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;

/// The LSM engine with its default sizes: everything stays in the memtable.
class LsmEngineTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        return LsmEngine.open(directory, LsmOptions.defaults().withDurability(durability));
    }
}
