package kvant.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import kvant.engine.directory.ExaminedDirectory;
import org.jspecify.annotations.Nullable;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/// Has RocksDB verify the checksum of every block of a store that no process has open, and read its logs as a node
/// with the default durability does: data that such a node would refuse is a problem here too. RocksDB stops at the
/// first one. Changes nothing.
public final class RocksDbCheck {

    private RocksDbCheck() {}

    /// @return the problem in one line, or null when there is none
    public static @Nullable String run(ExaminedDirectory directory) {
        Path files = directory.path().resolve(RocksDbEngine.NAME);
        if (!Files.isDirectory(files)) {
            return files + " is missing";
        }
        Database.loadLibrary();
        try {
            Path infoLog = Files.createTempDirectory("kvant-check"); // else RocksDB writes one next to the store
            try {
                return verify(files, infoLog);
            } finally {
                delete(infoLog);
            }
        } catch (IOException e) {
            throw new EngineException.Io("cannot make a temporary directory: " + e.getMessage(), e);
        }
    }

    private static @Nullable String verify(Path files, Path infoLog) {
        try (Options options = new Options()
                        .setDbLogDir(infoLog.toString())
                        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                        .setParanoidChecks(true)
                        .setWalRecoveryMode(
                                Database.recoveryMode(RocksDbOptions.defaults().durability()));
                RocksDB rocks = RocksDB.openReadOnly(options, files.toString())) {
            rocks.verifyChecksum();
            return null;
        } catch (RocksDBException e) {
            return files + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("damaged");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
