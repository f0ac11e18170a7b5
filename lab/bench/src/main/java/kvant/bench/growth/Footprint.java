package kvant.bench.growth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import kvant.bench.process.FolderSize;
import org.jspecify.annotations.Nullable;

/// The most that this process takes while this is open: memory, which is pages of its own, without those of mapped
/// files, and room on the disk for one store. Samples ten times a second.
final class Footprint implements AutoCloseable {

    private static final String ANONYMOUS = "RssAnon:";
    private static final long EVERY_NANOS = 100_000_000L;

    private final Thread thread = Thread.ofPlatform().daemon().name("footprint").unstarted(this::watch);
    private final @Nullable Path store;
    private volatile boolean closed;
    private volatile long mostBytes;
    private volatile long mostDiskBytes;

    private Footprint(@Nullable Path store) {
        this.store = store;
    }

    /// @param store null where only memory is looked at
    static Footprint watching(@Nullable Path store) {
        Footprint footprint = new Footprint(store);
        footprint.thread.start();
        return footprint;
    }

    long mostBytes() {
        return mostBytes;
    }

    long mostDiskBytes() {
        return mostDiskBytes;
    }

    private void watch() {
        while (!closed) {
            mostBytes = Math.max(mostBytes, anonymousBytes());
            mostDiskBytes = Math.max(mostDiskBytes, store == null ? 0 : FolderSize.bytes(store));
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
