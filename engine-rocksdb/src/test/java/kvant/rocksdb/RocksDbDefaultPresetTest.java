package kvant.rocksdb;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;

/// The engine keeps the contract with RocksDB's own defaults.
class RocksDbDefaultPresetTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        return RocksDbEngine.open(
                directory, RocksDbOptions.defaults().withPreset(Preset.DEFAULT).withDurability(durability));
    }
}
