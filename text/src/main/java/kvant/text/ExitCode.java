package kvant.text;

/// The exit codes of the process. Scripts and service managers rely on these.
public final class ExitCode {

    /// Done as asked; for a node: drained, synced and closed.
    public static final int DONE = 0;

    /// Could not be done: the reason stands on stderr.
    public static final int FAILED = 1;

    /// The command line itself is wrong; nothing was touched.
    public static final int USAGE = 2;

    private ExitCode() {}
}
