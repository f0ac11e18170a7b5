package kvant.bench.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Programs of the distribution, and the ports and processes that they need.
final class Tools {

    private static final int OUTPUT_SECONDS = 30;

    private Tools() {}

    /// @return the path of a program, or null where it is not installed
    static @Nullable Path find(String program) {
        String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/usr/local/sbin";
        for (String folder : path.split(":")) {
            Path candidate = Path.of(folder, program);
            if (!folder.isEmpty() && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// Runs a program to its end.
    ///
    /// @return what it printed, errors included
    static String output(List<String> command, long seconds) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String text = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(seconds + OUTPUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(command.getFirst() + " failed: " + text.strip());
            }
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
