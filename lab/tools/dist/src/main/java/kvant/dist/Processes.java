package kvant.dist;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.text.UserException;

/// Runs programs needed for building packages.
final class Processes {

    private Processes() {}

    /// @return its output
    static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new UserException("'" + String.join(" ", command) + "' failed with " + code + ": "
                        + said.strip().lines().reduce("", (_, last) -> last));
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + command.getFirst(), e);
        }
        return said;
    }
}
