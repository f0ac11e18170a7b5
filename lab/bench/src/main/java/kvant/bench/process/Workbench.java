package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.lab.process.CleanupStack;
import kvant.lab.process.Folders;
import kvant.text.UserException;

/// The folder of a benchmark and its processes. Processes are ended, most recent first, and the folder is deleted when
/// the benchmark ends, and at the latest when the JVM does.
///
/// Any thread may call.
public final class Workbench implements AutoCloseable {

    private final Path folder;
    private final CleanupStack kept = new CleanupStack();

    private Workbench(Path folder) {
        this.folder = folder;
        kept.keep(() -> Folders.delete(folder));
    }

    public static Workbench open() throws IOException {
        return new Workbench(Files.createTempDirectory("kvant-bench"));
    }

    public Path folder() {
        return folder;
    }

    /// Closes a resource at the end, unless it is closed already: closing twice must be harmless.
    ///
    /// @throws UserException when the workbench is already closed
    public <T extends AutoCloseable> T keep(T one) {
        return kept.keep(one);
    }

    @Override
    public void close() {
        kept.close();
    }
}
