package kvant.lsm;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.lsm.compaction.Picker;

/// The LSM engine with sizes so small that every test flushes, splits tables and merges runs.
class TinyLsmEngineTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        return LsmEngine.open(
                directory,
                LsmOptions.defaults()
                        .withDurability(durability)
                        .withSizes(300 << 10, 128, 4 << 10)
                        .withPicker(new Picker(2, 3)));
    }
}
