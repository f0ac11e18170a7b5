package kvant.lab.commit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;

/// Runs a program to its end, with its output in a file.
///
/// Owned by the thread that calls.
final class Tool {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_OUTPUT = 1 << 20;

    private final Path output;
    private final StopSwitch stop;

    /// @param output what gets what the programs write, the last one's
    Tool(Path output, StopSwitch stop) {
        this.output = output;
        this.stop = stop;
    }

    /// How a program ended.
    record Ended(int code, String output) {

        /// The last line that says something, or empty.
        String lastLine() {
            return output.lines()
                    .filter(line -> !line.isBlank())
                    .reduce((_, later) -> later)
                    .map(line -> line.strip().replaceAll("\\p{Cntrl}", "?"))
                    .orElse("");
        }
    }

    /// @throws UserException where there is no such program, or it takes too long, or the run is stopped
    Ended run(Duration limit, Path folder, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().remove("KVANT_JAVA_OPTS"); // meant for the laboratory
        try {
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                await(process, limit, command);
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
            return new Ended(process.exitValue(), said());
        } catch (IOException e) {
            throw new UserException("cannot run " + command.getFirst() + ": " + e.getMessage(), e);
        }
    }

    /// The end of the output; what is not UTF-8, such as an old commit's subject, has replacement characters in it.
    private String said() throws IOException {
        try (SeekableByteChannel in = Files.newByteChannel(output)) {
            long from = Math.max(0, in.size() - LONGEST_OUTPUT);
            ByteBuffer end = ByteBuffer.allocate((int) (in.size() - from));
            in.position(from);
            while (end.hasRemaining() && in.read(end) >= 0) {
                // until it is full, or the file has become shorter
            }
            return new String(end.array(), 0, end.position(), StandardCharsets.UTF_8);
        }
    }

    private void await(Process process, Duration limit, List<String> command) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (process.isAlive()) {
            if (stop.isStopped()) {
                throw new UserException("stopped before " + command.getFirst() + " had ended");
            }
            if (System.nanoTime() > deadline) {
                throw new UserException(command.getFirst() + " took longer than " + limit.toMinutes() + " minutes");
            }
            stop.sleep(LOOK_NANOS);
        }
    }
}
