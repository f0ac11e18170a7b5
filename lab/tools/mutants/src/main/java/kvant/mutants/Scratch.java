package kvant.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Folders whose contents are not needed after a mutant.
final class Scratch {

    private Scratch() {}

    /// Empties a folder.
    static void clear(Path folder) {
        try {
            if (Files.exists(folder)) {
                List<Path> contents;
                try (Stream<Path> all = Files.walk(folder)) {
                    contents = all.sorted(Comparator.reverseOrder()).toList();
                }
                for (Path one : contents) {
                    Files.deleteIfExists(one);
                }
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
