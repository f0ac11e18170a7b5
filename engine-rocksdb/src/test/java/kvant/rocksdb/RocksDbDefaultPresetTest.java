package kvant.rocksdb;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LogEngineContract;
import org.junit.jupiter.api.Tag;

/// The engine keeps the contract with RocksDB's own defaults.
@Tag("full") // the contract once more, with other options
class RocksDbDefaultPresetTest extends LogEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        return RocksDbEngine.open(
                directory, RocksDbOptions.defaults().withPreset(Preset.DEFAULT).withDurability(durability));
    }
}
