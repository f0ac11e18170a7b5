package kvant.engine.directory;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A check that a data directory is still in its place, before each group of writes but at most once in a
/// millisecond: it costs about as much as a system call. After the removal of a directory, only writes committed
/// within that time, and the group under way, are still acknowledged. Belongs to one thread.
public final class DirectoryWatch {

    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    private final Supplier<@Nullable String> look;
    private long nextLookNanos = System.nanoTime();
    private @Nullable String displaced;

    /// @param look why the directory is not there any more, or null
    public DirectoryWatch(Supplier<@Nullable String> look) {
        this.look = look;
    }

    /// Why the directory is not there any more, or null.
    public @Nullable String displaced() {
        long nowNanos = System.nanoTime();
        if (nowNanos - nextLookNanos >= 0) {
            nextLookNanos = nowNanos + LOOK_NANOS;
            displaced = look.get();
        }
        return displaced;
    }
}
