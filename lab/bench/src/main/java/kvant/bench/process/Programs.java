package kvant.bench.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Third-party programs: their location, their output, and free ports.
public final class Programs {

    private static final int OUTPUT_SECONDS = 30;

    private Programs() {}

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Runs a program to its end.
    ///
    /// @return its output, including errors
    public static String output(List<String> command, long seconds) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(seconds + OUTPUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(command.getFirst() + " failed: " + text.strip());
            }
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
