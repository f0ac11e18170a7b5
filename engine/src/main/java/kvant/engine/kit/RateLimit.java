package kvant.engine.kit;

import java.util.function.LongSupplier;

/// A limit of bytes per second: each caller reserves the time that its bytes take, and waits until then. Unused time
/// is not saved up beyond a tenth of a second, so that a pause is not followed by a burst. Any thread may call.
public final class RateLimit {

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long BURST_NANOS = SECOND_NANOS / 10;

    // Constant.
    private final long bytesPerSecond;
    private final LongSupplier nanoClock;

    // Guarded by this.
    private long freeAtNanos;

    /// @param bytesPerSecond 0 or less for no limit
    public RateLimit(long bytesPerSecond, LongSupplier nanoClock) {
        this.bytesPerSecond = bytesPerSecond;
        this.nanoClock = nanoClock;
        this.freeAtNanos = nanoClock.getAsLong();
    }

    /// Reserves the time that these bytes take.
    ///
    /// @return wait before continuing, in nanoseconds; 0 or less for none
    public synchronized long reserve(long bytes) {
        if (bytesPerSecond <= 0) {
            return 0;
        }
        long nowNanos = nanoClock.getAsLong();
        if (freeAtNanos - nowNanos < -BURST_NANOS) {
            freeAtNanos = nowNanos - BURST_NANOS;
        }
        freeAtNanos += (long) ((double) bytes / bytesPerSecond * SECOND_NANOS);
        return freeAtNanos - nowNanos;
    }
}
