package kvant.lsm.background;

import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;
import kvant.engine.EngineException;
import kvant.lsm.storage.StorageFullException;

/// Translates a failure in a background thread for the engine's callers. Failed work is retried soon, and may fail
/// for hours: so it is logged at once, and then once a minute. Any thread may call.
final class BackgroundFailure {

    private static final Logger LOGGER = System.getLogger(BackgroundFailure.class.getName());
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    // Constant.
    private final String what;
    private final LongSupplier nanoClock;

    // Guarded by this.
    private long loggedNanos;
    private long unlogged;

    /// @param what name of the work: `flush` or `compaction`
    BackgroundFailure(String what, LongSupplier nanoClock) {
        this.what = what;
        this.nanoClock = nanoClock;
        this.loggedNanos = nanoClock.getAsLong() - LOG_EVERY_NANOS;
    }

    /// @param e may be an [InternalError], which an unreadable mapped file throws
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
