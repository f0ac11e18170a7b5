package kvant.bench.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.bench.process.FolderSize;
import kvant.bench.process.Repeated;
import org.jspecify.annotations.Nullable;

/// The peak usage of this process while this is open: memory in private pages, without mapped files, and disk space of
/// one store. Sampled ten times a second.
final class Footprint implements AutoCloseable {

    private static final String ANONYMOUS = "RssAnon:";
    private static final long EVERY_MILLIS = 100;

    private final @Nullable Path store;
    private final Repeated looking;
    private volatile long mostBytes;
    private volatile long mostDiskBytes;

    private Footprint(@Nullable Path store) {
        this.store = store;
        this.looking = Repeated.start("footprint", EVERY_MILLIS, this::look);
    }

    /// @param store null to watch only memory
    static Footprint watching(@Nullable Path store) {
        return new Footprint(store);
    }

    long mostBytes() {
        return mostBytes;
    }

    long mostDiskBytes() {
        return mostDiskBytes;
    }

    private void look() {
        mostBytes = Math.max(mostBytes, anonymousBytes());
        mostDiskBytes = Math.max(mostDiskBytes, store == null ? 0 : FolderSize.bytes(store));
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
        looking.close();
    }
}
