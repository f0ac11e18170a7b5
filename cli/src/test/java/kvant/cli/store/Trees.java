package kvant.cli.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Folders with all that is in them.
final class Trees {

    private Trees() {}

    /// @param to what is not there yet
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path each : tree.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }
}
