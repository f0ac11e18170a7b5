package kvant.server.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// Tells of connections that were closed because something failed, and not more often than somebody can
/// read: whoever can make one fail can make a thousand fail. One line a minute for want of memory, and
/// one stack trace a minute for what nobody expects.
///
/// Any thread may call.
final class FailureLog {

    private static final Logger LOGGER = System.getLogger(FailureLog.class.getName());
    private static final long EVERY_NANOS = Duration.ofMinutes(1).toNanos();

    // Atomic.
    private final AtomicLong nextMemoryNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong nextUnexpectedNanos = new AtomicLong(System.nanoTime());
    private final LongAdder outOfMemory = new LongAdder();
    private final LongAdder unexpected = new LongAdder();

    /// A connection is closed because of this.
    void failed(Throwable cause) {
        if (cause instanceof OutOfMemoryError) {
            outOfMemory.increment();
            if (isDue(nextMemoryNanos)) {
                LOGGER.log(
                        Level.WARNING,
                        "no memory for a connection ({0}): it was closed, as were {1} so far",
                        cause.getMessage(),
                        outOfMemory.sum());
            }
            return;
        }
        unexpected.increment();
        if (isDue(nextUnexpectedNanos)) {
            LOGGER.log(Level.ERROR, "closing a connection after an unexpected failure", cause);
        }
    }

    /// Connections that were closed for want of memory.
    long outOfMemory() {
        return outOfMemory.sum();
    }

    /// Connections that were closed because of anything else.
    long unexpected() {
        return unexpected.sum();
    }

    private static boolean isDue(AtomicLong nextNanos) {
        long now = System.nanoTime();
        long next = nextNanos.get();
        return now - next >= 0 && nextNanos.compareAndSet(next, now + EVERY_NANOS);
    }
}
