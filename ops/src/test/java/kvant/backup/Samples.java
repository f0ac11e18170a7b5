package kvant.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Directories that look like stores.
final class Samples {

    private Samples() {}

    static Path store(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("lsm"));
        Files.writeString(directory.resolve("KVANT"), "engine=lsm");
        Files.writeString(directory.resolve("EXPIRY"), "never");
        Files.writeString(directory.resolve("lsm/MANIFEST"), "all of them");
        Files.writeString(directory.resolve("lsm/00000001.table"), table("first"));
        Files.writeString(directory.resolve("lsm/00000002.values"), table("second"));
        return directory;
    }

    /// Longer than what is read at its ends.
    static String table(String name) {
        return "begins " + name + "-".repeat(20_000) + "ends " + name;
    }

    static BackupWriter.Result backUp(ObjectStore store, Path data) throws IOException {
        return backUp(store, Clock.systemUTC(), data);
    }

    /// Takes the lock over where one that failed has left it.
    static BackupWriter.Result backUp(ObjectStore store, Clock clock, Path data) throws IOException {
        try (TargetLock lock = TargetLock.take(store, true)) {
            return new BackupWriter(store, lock, clock, _ -> {}).write(data, "lsm");
        }
    }

    static Retention.Result keep(ObjectStore store, int count) throws IOException {
        try (TargetLock lock = TargetLock.take(store, true)) {
            return new Retention(store, lock).keep(count);
        }
    }

    static Retention.Result delete(ObjectStore store, String id) throws IOException {
        try (TargetLock lock = TargetLock.take(store, true)) {
            return new Retention(store, lock).delete(id);
        }
    }

    static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                contents.put(
                        directory.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }
}
