package kvant.engine.directory;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Looks whether a data directory is still where it was opened, before each group of writes but at most once in
/// a millisecond: a look costs about as long as a system call takes. What is acknowledged after the removal of
/// a directory is what is committed within that time, and the group that is under way. Belongs to one thread.
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
