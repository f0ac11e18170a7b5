package kvant.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/// How long to wait before a try. The whole of the wait is random (full jitter), so that clients which were turned away
/// together do not come back together; what a node asks for in `Retry-After` is waited besides.
///
/// @param random from 0 to 1
record Backoff(Duration first, Duration longest, DoubleSupplier random) {

    private static final int MOST_DOUBLINGS = 30;

    /// @param failures so far, 1 or more
    /// @param retryAfterSeconds what the node asked for, or 0
    /// @return in nanoseconds
    long nanosAfter(int failures, long retryAfterSeconds) {
        long doubled = 1L << Math.min(MOST_DOUBLINGS, failures - 1);
        long ceiling = (long) Math.min((double) longest.toNanos(), (double) first.toNanos() * doubled);
        return Duration.ofSeconds(retryAfterSeconds).toNanos() + (long) (random.getAsDouble() * ceiling);
    }
}
