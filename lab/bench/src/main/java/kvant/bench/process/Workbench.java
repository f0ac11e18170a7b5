package kvant.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import kvant.lab.process.Folders;
import kvant.text.UserException;

/// The folder of a benchmark and its processes. Processes are ended, most recent first, and the folder is deleted when
/// the benchmark ends, and at the latest when the JVM does, so that Ctrl-C leaves nothing behind.
///
/// Any thread may call.
public final class Workbench implements AutoCloseable {

    // Constant.
    private final Path folder;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::end);

    // Guarded by this.
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private boolean closed;

    private Workbench(Path folder) {
        this.folder = folder;
    }

    public static Workbench open() throws IOException {
        Workbench bench = new Workbench(Files.createTempDirectory("kvant-bench"));
        Runtime.getRuntime().addShutdownHook(bench.atExit);
        return bench;
    }

    public Path folder() {
        return folder;
    }

    /// Closes a resource at the end, unless it is closed already: closing twice must be harmless.
    ///
    /// @throws UserException when the workbench is already closed
    public <T extends AutoCloseable> T keep(T one) {
        synchronized (this) {
            if (!closed) {
                kept.push(one);
                return one;
            }
        }
        close(one);
        throw new UserException("stopped");
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            System.err.println("kvant: cannot end " + one + ": " + e.getMessage()); // the others must end all the same
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException _) {
            return; // the hook closes it
        }
        end();
    }

    private void end() {
        while (true) {
            AutoCloseable one;
            synchronized (this) {
                closed = true;
                if (kept.isEmpty()) {
                    break;
                }
                one = kept.pop();
            }
            close(one);
        }
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            System.err.println("kvant: cannot delete " + folder + ": " + e.getMessage());
        }
    }
}
