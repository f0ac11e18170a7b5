package kvant.lab.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// What a server or another program says, its standard output and error, in a file that it writes itself. What is not
/// UTF-8, such as the subject of an old commit, has replacement characters in it.
///
/// A pipe would not do. Java closes the pipe of a process when that process ends, and a server that a shell started
/// and left would lose what it says from then on, and be ended by `SIGPIPE`.
///
/// Any thread may call.
public final class ServerOutput implements AutoCloseable {

    /// Bytes that are left of a file that grew to twice as many.
    public static final int LONGEST = 8 << 20;

    /// Where a server says its URL.
    private static final int LONGEST_BEGIN = 64 << 10;

    /// What may hold the reason of an end.
    private static final int LONGEST_END = 16 << 10;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Path file;
    private volatile boolean closed;

    /// What was cut off last, its end.
    private volatile String cutEnd = "";

    /// Empties the file.
    public ServerOutput(Path file) throws IOException {
        this.file = file;
        Files.write(file, new byte[0]);
    }

    /// To be given to the process. It appends, so that it goes on at the end of a file that was cut.
    public ProcessBuilder.Redirect redirect() {
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }

    public Path file() {
        return file;
    }

    /// Its first lines.
    public String begin() {
        return read(0, LONGEST_BEGIN);
    }

    /// Its last lines.
    public String end() {
        String before = cutEnd;
        String end = before + readEnd(before.isEmpty() ? 0 : LONGEST);
        return end.substring(Math.max(0, end.length() - LONGEST_END));
    }

    private String readEnd(long from) {
        try {
            return read(Math.max(from, Files.size(file) - LONGEST_END), LONGEST_END);
        } catch (IOException _) {
            return ""; // somebody deleted it, or the disk fails, which other files will tell
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

    /// From now on, until [#close].
    public void keepBounded() {
        Thread.ofPlatform().daemon().name("kvant-lab-output").start(this::cut);
    }

    private void cut() {
        while (!closed) {
            try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                if (out.size() > 2L * LONGEST) {
                    cutEnd = readEnd(0); // first: what is read twice meanwhile does no harm
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
}
