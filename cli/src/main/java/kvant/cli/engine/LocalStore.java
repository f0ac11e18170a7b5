package kvant.cli.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.directory.ExaminedDirectory;
import kvant.lsm.LogPlace;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.rocksdb.RocksDbEngine;
import kvant.rocksdb.RocksDbOptions;

/// A store in a directory, opened with the engine's own defaults, for commands that have no options for it.
public final class LocalStore {

    private LocalStore() {}

    /// The engine that wrote the directory.
    ///
    /// @throws EngineException.CannotOpen when it is no store
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

    /// Folders with all in them that a command made for itself.
    public static final class FileTree {

        private FileTree() {}

        /// Deletes it, and nothing that a link in it leads to.
        public static void delete(Path top) throws IOException {
            try (Stream<Path> tree = Files.walk(top)) {
                List<Path> deepestFirst = new ArrayList<>(tree.toList()).reversed();
                for (Path each : deepestFirst) {
                    Files.delete(each);
                }
            }
        }
    }
}
