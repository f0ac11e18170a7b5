package kvant.bench.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Bytes written, measured from outside of the engines, so that all are measured alike.
final class WrittenBytes {

    private static final String WRITE_CALLS = "wchar: ";

    private WrittenBytes() {}

    /// Bytes that this process has handed to calls that write (`proc_pid_io(5)`).
    static long sinceStart() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/io"))) {
            return lines.filter(line -> line.startsWith(WRITE_CALLS))
                    .mapToLong(line -> Long.parseLong(line.substring(WRITE_CALLS.length())))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException("the bytes that a process writes are only told by Linux", e);
        }
    }
}
