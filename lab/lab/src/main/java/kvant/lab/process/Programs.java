package kvant.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Programs of the system, run to their end, and free ports for servers.
public final class Programs {

    private Programs() {}

    /// @return its output and errors
    /// @throws IOException where it is missing or fails: the message has its output
    public static String run(String... words) throws IOException {
        return run(List.of(words));
    }

    public static String run(List<String> words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.onExit().join().exitValue();
            if (code != 0) {
                throw new IOException(String.join(" ", words) + " failed with " + code + ": " + said);
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
