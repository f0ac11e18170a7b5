package kvant.prove.stage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Programs of the system, run to their end.
public final class Tool {

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
}
