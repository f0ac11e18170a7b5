package kvant.bench.growth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/// The peak memory of this process while this is open: pages of its own, without those of mapped files. Samples
/// ten times a second.
final class Footprint implements AutoCloseable {

    private static final String ANONYMOUS = "RssAnon:";
    private static final long EVERY_NANOS = 100_000_000L;

    private final Thread thread = Thread.ofPlatform().daemon().name("footprint").unstarted(this::watch);
    private volatile boolean closed;
    private volatile long mostBytes;

    static Footprint watching() {
        Footprint footprint = new Footprint();
        footprint.thread.start();
        return footprint;
    }

    long mostBytes() {
        return mostBytes;
    }

    private void watch() {
        while (!closed) {
            mostBytes = Math.max(mostBytes, anonymousBytes());
            LockSupport.parkNanos(EVERY_NANOS);
        }
    }

    private static long anonymousBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith(ANONYMOUS)) {
                    return Long.parseLong(line.substring(ANONYMOUS.length(), line.length() - 2)
                                    .strip())
                            << 10;
                }
            }
            throw new IllegalStateException("the kernel does not tell of anonymous memory");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
