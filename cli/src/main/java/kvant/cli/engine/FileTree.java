package kvant.cli.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Folders with all in them that a command made for itself.
public final class FileTree {

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
