package kvant.lab.process;

import java.util.ArrayDeque;
import java.util.Deque;
import kvant.text.UserException;

/// Resources that are closed together, the latest first: at the end, and at the latest when the JVM ends, so that
/// Ctrl-C leaves no process and no mount.
///
/// Any thread may call.
public final class CleanupStack implements AutoCloseable {

    // Constant.
    private final Thread atExit = Thread.ofPlatform().unstarted(this::end);

    // Guarded by this.
    private final Deque<AutoCloseable> kept = new ArrayDeque<>();
    private boolean closed;

    public CleanupStack() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /// Closes a resource at the end, unless it is dropped before. Closing twice must be harmless.
    ///
    /// @throws UserException when the stack is already closed
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

    /// Closes a resource now.
    public void drop(AutoCloseable one) {
        synchronized (this) {
            kept.remove(one);
        }
        close(one);
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
