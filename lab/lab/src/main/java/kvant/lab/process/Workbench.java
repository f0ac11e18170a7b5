package kvant.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import kvant.text.UserException;

/// A folder, and the processes, mounts and files that end with the work in it, the latest first: at its end, and at
/// the latest when the JVM ends, so that Ctrl-C leaves no process and no mount.
///
/// Any thread may call.
public class Workbench implements AutoCloseable {

    // Constant.
    private final Path folder;
    private final Thread atExit = Thread.ofPlatform().unstarted(this::end);

    // Guarded by this.
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private boolean closed;

    /// @param folder is created, and stays
    protected Workbench(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath();
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /// One whose folder is deleted at its end.
    public static Workbench open() throws IOException {
        Workbench bench = new Workbench(Files.createTempDirectory("kvant-bench"));
        bench.keep(() -> Folders.discard(bench.folder));
        return bench;
    }

    public final Path folder() {
        return folder;
    }

    /// Closes a resource at the end, unless it is dropped before. Closing twice must be harmless.
    ///
    /// @throws UserException when the end has come already
    public final <T extends AutoCloseable> T keep(T one) {
        synchronized (this) {
            if (!closed) {
                kept.push(one);
                return one;
            }
        }
        close(one);
        throw new UserException("stopped");
    }

    /// Closes a resource now.
    public final void drop(AutoCloseable one) {
        synchronized (this) {
            kept.remove(one);
        }
        close(one);
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            System.err.println("kvant: cannot end " + one + ": " + e.getMessage()); // the rest must end all the same
        }
    }

    @Override
    public final void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException _) {
            return; // the hook closes them
        }
        end();
    }

    private void end() {
        while (true) {
            AutoCloseable one;
            synchronized (this) {
                closed = true;
                if (kept.isEmpty()) {
                    return;
                }
                one = kept.pop();
            }
            close(one);
        }
    }
}
