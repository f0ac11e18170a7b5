package kvant.cli;

/// What the process tells its caller. Scripts and service managers rely on these.
final class ExitCode {

    /// Done as asked; for a node: drained, synced and closed.
    static final int DONE = 0;

    /// Could not be done: the reason stands on stderr.
    static final int FAILED = 1;

    /// The command line itself is wrong; nothing was touched.
    static final int USAGE = 2;

    private ExitCode() {}
}
