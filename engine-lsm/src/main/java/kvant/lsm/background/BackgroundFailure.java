package kvant.lsm.background;

import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;
import kvant.engine.EngineException;
import kvant.lsm.storage.StorageFullException;

/// What went wrong in a background thread, in the words of the engine's callers. What fails is tried again soon,
/// and may fail for hours: it is logged at once, and then once a minute. Any thread may call.
final class BackgroundFailure {

    private static final Logger LOGGER = System.getLogger(BackgroundFailure.class.getName());
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    // Constant.
    private final String what;
    private final LongSupplier nanoClock;

    // Guarded by this.
    private long loggedNanos;
    private long unlogged;

    /// @param what fails: `flush` or `compaction`
    BackgroundFailure(String what, LongSupplier nanoClock) {
        this.what = what;
        this.nanoClock = nanoClock;
        this.loggedNanos = nanoClock.getAsLong() - LOG_EVERY_NANOS;
    }

    /// @param e an [InternalError] is what a mapped file gives that cannot be read
    EngineException of(Throwable e) {
        if (e instanceof InterruptedIOException) {
            return new EngineException.Closed();
        }
        log(String.valueOf(e.getMessage()));
        return switch (e) {
            case StorageFullException full -> new EngineException.StorageFull(what + ": " + full.getMessage());
            case EngineException known -> known;
            default -> new EngineException.Io(what + " failed: " + e.getMessage(), e);
        };
    }

    private synchronized void log(String why) {
        long nowNanos = nanoClock.getAsLong();
        if (nowNanos - loggedNanos < LOG_EVERY_NANOS) {
            unlogged++;
            return;
        }
        String times = unlogged == 0 ? "" : ", " + unlogged + " more times since this was logged last";
        LOGGER.log(Level.WARNING, "{0} failed and will be tried again: {1}{2}", what, why, times);
        loggedNanos = nowNanos;
        unlogged = 0;
    }
}
