package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;

/// The LSM engine with its default sizes: everything stays in the memtable.
class LsmEngineTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return LsmEngine.open(directory, LsmOptions.defaults().withDurability(durability));
    }
}
