package kvant.move.mirror;

/// How long to rest so that so many bytes a second are not exceeded. Belongs to one thread.
final class Pace {

    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private long freeAtNanos = System.nanoTime();

    /// @param bytesPerSecond 0 for no limit
    Pace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /// Time that was not used is not made up for.
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
