package kvant.load.truth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Linux thread scheduling: the policy of a thread, and the right to a real-time one.
public final class Scheduling {

    public static final int ORDINARY = 0;
    public static final int FIFO = 1;

    private static final Path STAT = Path.of("/proc/thread-self/stat");

    /// From the third field on, after the name, which may have blanks (`proc_pid_stat(5)`).
    private static final int POLICY = 41 - 3;

    /// In the mask of capabilities (`capabilities(7)`).
    private static final int CAP_SYS_NICE = 23;

    private Scheduling() {}

    /// Whether threads of this process may run before others: by a right, or by a limit of priorities above 0.
    public static boolean mayBeFifo() {
        String rights = line("/proc/self/status", "CapEff:").strip();
        String limit =
                line("/proc/self/limits", "Max realtime priority").strip().split(" +")[0];
        return (Long.parseUnsignedLong(rights, 16) >>> CAP_SYS_NICE & 1) == 1 || !limit.equals("0");
    }

    /// @param stat what the file of this name says of a thread
    public static int policyIn(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Integer.parseInt(fields[POLICY]);
    }

    private static String line(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(name.length()))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Of the calling thread.
    public static int policy() {
        try {
            return policyIn(Files.readString(STAT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
