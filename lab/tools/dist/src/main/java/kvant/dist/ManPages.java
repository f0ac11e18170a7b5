package kvant.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// The man pages of the program, as it writes them itself, each compressed as `man` reads them.
final class ManPages {

    /// Of the tree of a program.
    static final String FOLDER = "share/man/man1/";

    private ManPages() {}

    /// @param java a program
    /// @param libraries the folder of the jars
    /// @param work for the pages on their way
    static FileTree of(Path java, Path libraries, Path work) throws IOException {
        Processes.run(List.of(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                libraries + "/*",
                "kvant.cli.Main",
                "man",
                "--to",
                work.toString()));
        return compressed(work);
    }

    /// The same bytes each time: no name and no time is in them.
    static FileTree compressed(Path pages) throws IOException {
        FileTree tree = new FileTree();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(pages, "*.1")) {
            for (Path page : found) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (GZIPOutputStream compressing = new GZIPOutputStream(bytes)) {
                    Files.copy(page, compressing);
                }
                tree.bytes(FOLDER + page.getFileName() + ".gz", bytes.toByteArray(), FileTree.PLAIN);
            }
        }
        return tree;
    }
}
