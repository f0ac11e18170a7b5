package kvant.cli.engine;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.rocksdb.RocksDbEngine;
import kvant.rocksdb.RocksDbOptions;

/// A store in a directory, opened with the engine's defaults, for commands without engine options.
public final class LocalStore {

    private LocalStore() {}

    /// The engine that wrote the directory.
    ///
    /// @throws kvant.engine.EngineException.CannotOpen when the directory is no store
    public static EngineKind of(Path data) {
        return ExaminedDirectory.engine(data).equals(LsmEngine.NAME) ? EngineKind.LSM : EngineKind.ROCKSDB;
    }

    public static LocalEngine open(EngineKind kind, Path data, Durability durability) {
        return switch (kind) {
            case LSM -> LsmEngine.open(data, lsmOptions(durability));
            case ROCKSDB -> RocksDbEngine.open(data, RocksDbOptions.defaults().withDurability(durability));
            case CASSANDRA -> throw new IllegalArgumentException("a store of a cluster is in no directory");
        };
    }

    private static LsmOptions lsmOptions(Durability durability) {
        return LsmOptions.defaults().withDurability(durability).with(o -> {
            o.logPlace = LogPlace.AS_IT_IS;
            o.retainedLogBytes = LsmOptions.AS_FOUND;
        });
    }
}
