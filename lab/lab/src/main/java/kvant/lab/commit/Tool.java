package kvant.lab.commit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.lab.process.ServerOutput;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;

/// Runs a program to its end, with its output in a file.
///
/// Belongs to the calling thread.
final class Tool {

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path output;
    private final StopSwitch stop;

    /// @param output file for the output of the latest program
    Tool(Path output, StopSwitch stop) {
        this.output = output;
        this.stop = stop;
    }

    /// The exit code of a program, and the end of its output.
    record Ended(int code, String output) {

        /// The last non-empty line, or empty.
        String lastLine() {
            return output.lines()
                    .filter(line -> !line.isBlank())
                    .reduce((_, later) -> later)
                    .map(line -> line.strip().replaceAll("\\p{Cntrl}", "?"))
                    .orElse("");
        }
    }

    /// @throws UserException when there is no such program, it exceeds the limit, or the run is stopped
    Ended run(Duration limit, Path folder, List<String> command) {
        try (ServerOutput said = new ServerOutput(output)) {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.redirect());
            builder.environment().remove("KVANT_JAVA_OPTS"); // intended for the laboratory
            Process process = builder.start();
            try {
                process.getOutputStream().close();
                await(process, limit, command);
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
            return new Ended(process.exitValue(), said.end());
        } catch (IOException e) {
            throw new UserException("cannot run " + command.getFirst() + ": " + e.getMessage(), e);
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
