package kvant.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A process recorded in a file by its number and start time. Numbers are reused: a signal is sent only if both match,
/// so that no other process receives it.
///
/// @param started by the clock of the machine's kernel, in an unspecified unit
record RecordedProcess(long pid, String started) {

    /// The field of /proc/PID/stat after the name in parentheses: clock ticks since boot.
    private static final int START_TIME_FIELD = 19;

    static RecordedProcess of(ProcessHandle handle) {
        return new RecordedProcess(handle.pid(), startOf(handle));
    }

    /// @return null if the file is missing or empty
    static @Nullable RecordedProcess read(Path file) {
        try {
            String[] words = Files.readString(file).strip().split(" ");
            return words.length == 2 ? new RecordedProcess(Long.parseLong(words[0]), words[1]) : null;
        } catch (IOException | NumberFormatException _) {
            return null;
        }
    }

    void write(Path file) throws IOException {
        Files.writeString(file, pid + " " + started + "\n");
    }

    /// The process, if it still exists and is the same one.
    Optional<ProcessHandle> alive() {
        return ProcessHandle.of(pid)
                .filter(handle -> handle.isAlive() && startOf(handle).equals(started));
    }

    /// True if it was stopped by a signal and not resumed.
    boolean isPaused() {
        String[] fields = stat(pid);
        return fields.length > 0 && fields[0].equals("T");
    }

    private static String startOf(ProcessHandle handle) {
        String[] fields = stat(handle.pid());
        return fields.length > START_TIME_FIELD
                ? fields[START_TIME_FIELD]
                : "" + handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    private static String[] stat(long pid) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return line.substring(line.lastIndexOf(')') + 2).split(" ");
        } catch (IOException | IndexOutOfBoundsException _) {
            return new String[0]; // no /proc here, or the process has ended
        }
    }
}
