package kvant.move.mirror;

/// How long to pause so that a rate in bytes per second is not exceeded. Belongs to one thread.
final class RateLimit {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private long freeAtNanos = System.nanoTime();

    /// @param bytesPerSecond 0 for no limit
    RateLimit(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /// Unused time is not saved up.
    ///
    /// @return nanoseconds to rest before anything else is read
    long restAfter(long bytes) {
        if (bytesPerSecond == 0) {
            return 0;
        }
        long now = System.nanoTime();
        long from = Math.max(now, freeAtNanos);
        freeAtNanos = from + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
        return freeAtNanos - now;
    }
}
