package kvant.load.truth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How Linux schedules the calling thread.
public final class Scheduling {

    public static final int ORDINARY = 0;
    public static final int FIFO = 1;

    private static final Path STAT = Path.of("/proc/thread-self/stat");

    /// From the third field on, after the name, which may have blanks (`proc_pid_stat(5)`).
    private static final int POLICY = 41 - 3;

    private Scheduling() {}

    public static int policy() {
        try {
            String stat = Files.readString(STAT);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Integer.parseInt(fields[POLICY]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
