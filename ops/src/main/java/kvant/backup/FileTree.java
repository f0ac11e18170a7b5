package kvant.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Folders that a command made for itself.
public final class FileTree {

    private FileTree() {}

    /// Deletes a folder with all in it, and nothing that a link in it leads to. A folder that does not exist is no
    /// error.
    public static void delete(Path top) throws IOException {
        if (Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
            try (Stream<Path> tree = Files.walk(top)) {
                List<Path> deepestFirst = tree.toList().reversed();
                for (Path each : deepestFirst) {
                    Files.delete(each);
                }
            }
        }
    }
}
