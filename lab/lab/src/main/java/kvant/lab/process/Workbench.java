package kvant.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A folder, and the processes, mounts and files that end with the work in it, the latest first: at its end, and at the
/// latest when the JVM ends.
///
/// Any thread may call.
public class Workbench implements AutoCloseable {

    private final Path folder;
    private final CleanupStack kept = new CleanupStack();

    /// @param folder is created, and stays
    protected Workbench(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath();
    }

    /// One whose folder is deleted at its end.
    public static Workbench open() throws IOException {
        Workbench bench = new Workbench(Files.createTempDirectory("kvant-bench"));
        bench.keep(() -> Folders.delete(bench.folder));
        return bench;
    }

    public final Path folder() {
        return folder;
    }

    /// Closes a resource at the end, unless it is dropped before. Closing twice must be harmless.
    ///
    /// @throws UserException when the end has come already
    public final <T extends AutoCloseable> T keep(T one) {
        return kept.keep(one);
    }

    /// Closes a resource now.
    public final void drop(AutoCloseable one) {
        kept.drop(one);
    }

    @Override
    public final void close() {
        kept.close();
    }
}
