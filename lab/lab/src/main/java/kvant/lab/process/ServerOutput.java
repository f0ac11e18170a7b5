package kvant.lab.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/// The standard output and error of a server or another program, in a file that the process writes itself. Invalid
/// UTF-8, as in the subject of an old commit, becomes replacement characters.
///
/// A pipe would not work. Java closes the pipe when its process ends, so that a server started by a shell that has
/// ended would lose its output, and be killed by `SIGPIPE`.
///
/// Any thread may call.
public final class ServerOutput implements AutoCloseable {

    /// Bytes kept of a file that has grown to twice that size.
    public static final int LONGEST = 8 << 20;

    /// Bytes at the start that may contain the server's URL.
    private static final int LONGEST_BEGIN = 64 << 10;

    /// Bytes at the end that may contain the reason for an exit.
    private static final int LONGEST_END = 16 << 10;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Path file;
    private volatile boolean closed;

    /// The end of the part that was cut off last.
    private volatile String cutEnd = "";

    /// Empties the file.
    public ServerOutput(Path file) throws IOException {
        this.file = file;
        Files.write(file, new byte[0]);
    }

    /// For the process. It appends, so that it continues at the end of a truncated file.
    public ProcessBuilder.Redirect redirect() {
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }

    public Path file() {
        return file;
    }

    /// The first lines.
    public String begin() {
        return read(0, LONGEST_BEGIN);
    }

    /// The last lines.
    public String end() {
        String before = cutEnd;
        String end = before + readEnd(before.isEmpty() ? 0 : LONGEST);
        return end.substring(Math.max(0, end.length() - LONGEST_END));
    }

    private String readEnd(long from) {
        try {
            return read(Math.max(from, Files.size(file) - LONGEST_END), LONGEST_END);
        } catch (IOException _) {
            return ""; // deleted, or the disk fails, which other files will report
        }
    }

    private String read(long from, int length) {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.clamp(in.size() - from, 0, length));
            while (bytes.hasRemaining() && in.read(bytes, from + bytes.position()) >= 0) {}
            return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        } catch (IOException _) {
            return ""; // as above
        }
    }

    /// Starts to limit the size, until [#close].
    public void keepBounded() {
        Thread.ofPlatform().daemon().name("kvant-lab-output").start(this::cut);
    }

    private void cut() {
        while (!closed) {
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                if (out.size() > 2L * LONGEST) {
                    cutEnd = readEnd(0); // first: reading a part twice does no harm
                    out.truncate(LONGEST);
                }
            } catch (IOException _) {
                // as above
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    /// Finds the reason for the end of a process in its output.
    ///
    /// A Kvant node prints one line that begins with `kvant: `. Other programs print exceptions, and the JVM
    /// has messages of its own. Text after the reason (a hint, a log line, a stack trace) is ignored.
    public static final class ErrorLine {

        private static final String OURS = "kvant: ";

        /// An uncaught exception, or its cause.
        private static final Pattern THROWN = Pattern.compile("(Exception in thread|Caused by:).*");

        /// Lines that are not the reason: of the unified log, of stack traces, and the final lines of a JVM
        /// that fails to start.
        private static final Pattern NO_REASON = Pattern.compile(
                "(\\[\\d+[.,]\\d+s]|\\s+at |\\s*\\.\\.\\. \\d+ more|Error: Could not create the Java Virtual Machine"
                        + "|Error: A fatal exception has occurred).*");

        private static final int LONGEST = 300;

        private ErrorLine() {}

        /// Empty if the process printed nothing.
        public static String of(String output) {
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            String found = "";
            for (Pattern wanted : List.of(Pattern.compile(OURS + ".*"), THROWN, Pattern.compile(".*"))) {
                List<String> fitting = lines.stream()
                        .filter(line -> wanted.matcher(line).matches())
                        .filter(line -> !NO_REASON.matcher(line).matches())
                        .toList();
                if (!fitting.isEmpty()) {
                    found = fitting.getLast();
                    break;
                }
            }
            String plain = (found.startsWith(OURS) ? found.substring(OURS.length()) : found)
                    .strip()
                    .replaceAll("\\p{Cntrl}", "?");
            return plain.length() > LONGEST ? plain.substring(0, LONGEST) + "..." : plain;
        }
    }
}
