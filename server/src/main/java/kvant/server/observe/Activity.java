package kvant.server.observe;

/// Something that the process did besides answering.
///
/// @param kind such as `flush` or `gc: G1 Young Generation`
/// @param endNanos [Long#MAX_VALUE] while it goes on
record Activity(long id, String kind, long beginNanos, long endNanos) {

    static final long RUNNING = Long.MAX_VALUE;

    boolean overlaps(long fromNanos, long toNanos) {
        return beginNanos - toNanos <= 0 && (endNanos == RUNNING || endNanos - fromNanos >= 0);
    }

    /// How much of the time between the two it took.
    long overlapNanos(long fromNanos, long toNanos) {
        long begin = Math.max(beginNanos, fromNanos);
        long end = endNanos == RUNNING ? toNanos : Math.min(endNanos, toNanos);
        return Math.max(0, end - begin);
    }
}
