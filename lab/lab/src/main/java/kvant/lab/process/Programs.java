package kvant.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Programs of the system, run to their end, and ports for those that go on.
public final class Programs {

    private Programs() {}

    /// @return what it printed, errors included
    /// @throws IOException where it is missing or fails: the message has what it said
    public static String run(String... words) throws IOException {
        return run(List.of(words));
    }

    public static String run(List<String> words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.onExit().join().exitValue() != 0) {
                throw new IOException(String.join(" ", words) + ": " + said);
            }
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    /// Free now: another process may take it.
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
