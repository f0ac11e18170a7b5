package kvant.load.host;

import java.nio.file.Path;

/// The user-mode processor time of processes, as counted by Linux.
///
/// System time (sockets, interrupts, background writes of pages) is excluded: some of it is charged to no process, so
/// that a server that causes more of it would look like the work of another process.
public final class UserTime {

    /// Index in `/proc/PID/stat`, after the name, which may contain any characters.
    private static final int OWN = 11;

    private static final int OF_ENDED_CHILDREN = 13;

    private UserTime() {}

    /// Time of a process and of its ended children; NaN if the system does not report it.
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
