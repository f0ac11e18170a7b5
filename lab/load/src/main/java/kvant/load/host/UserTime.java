package kvant.load.host;

import java.nio.file.Path;

/// How long processes ran code of their own, as Linux counts it.
///
/// What the system does for them (sockets, interrupts, pages that are written in the background) is not in it: part of
/// that is counted for no process, so that a server that asks for more of it would look like another process at work.
public final class UserTime {

    /// In `/proc/PID/stat`, after the name, which may hold anything.
    private static final int OWN = 11;

    private static final int OF_ENDED_CHILDREN = 13;

    private UserTime() {}

    /// Of a process, and of its children that have ended; NaN where the system does not say.
    public static double ofProcess(long pid) {
        return in(Path.of("/proc", Long.toString(pid), "stat"));
    }

    /// In nanoseconds.
    static double in(Path stat) {
        String text = HostFiles.text(stat);
        String[] cells = text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
        return cells.length <= OF_ENDED_CHILDREN
                ? Double.NaN
                : HostFiles.TICK_NANOS * (HostFiles.number(cells[OWN]) + HostFiles.number(cells[OF_ENDED_CHILDREN]));
    }
}
