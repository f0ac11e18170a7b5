package kvant.prove.stage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Programs of the system, run to their end.
public final class Tool {

    private static final List<String> FOLDERS = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/bin");

    private Tool() {}

    /// @return what it printed
    /// @throws IOException where it is missing or fails: the message has what it said
    public static String run(String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", words) + ": " + said);
        }
        return said;
    }

    public static boolean exists(String name) {
        return FOLDERS.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
}
