package kvant.move.copy;

/// Lets so many bytes pass in a second. What was not used before is lost, but for what a tenth of a second gives, so
/// that a pause is not followed by a flood.
final class Throttle {

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long BURST_NANOS = SECOND_NANOS / 10;

    private final long bytesPerSecond;
    private final RetryPolicy retries;
    private long freeAtNanos;

    /// @param bytesPerSecond 0 for no limit
    Throttle(long bytesPerSecond, RetryPolicy retries) {
        this.bytesPerSecond = bytesPerSecond;
        this.retries = retries;
        this.freeAtNanos = retries.time().nanos();
    }

    /// Waits until these bytes may pass.
    void pass(long bytes) {
        if (bytesPerSecond == 0) {
            return;
        }
        long nowNanos = retries.time().nanos();
        if (freeAtNanos - nowNanos < -BURST_NANOS) {
            freeAtNanos = nowNanos - BURST_NANOS;
        }
        freeAtNanos += (long) ((double) bytes / bytesPerSecond * SECOND_NANOS);
        retries.sleep(freeAtNanos - nowNanos);
    }
}
