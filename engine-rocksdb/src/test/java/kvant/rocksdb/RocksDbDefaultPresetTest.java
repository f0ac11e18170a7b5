package kvant.rocksdb;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;

/// The engine keeps the contract with RocksDB's own defaults.
class RocksDbDefaultPresetTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return RocksDbEngine.open(
                directory, RocksDbOptions.defaults().withPreset(Preset.DEFAULT).withDurability(durability));
    }
}
