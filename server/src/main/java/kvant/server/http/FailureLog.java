package kvant.server.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// A rate-limited log of connections closed because of a failure: a client that can cause one failure can cause a
/// thousand. At most one line a minute for lack of memory, and one stack trace a minute for unexpected failures.
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

    /// Counts, and perhaps logs, the failure that closes a connection.
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

    void measure(MetricSink sink) {
        String failed = "Connections that were closed because something failed in the node.";
        sink.counter("kvant_connections_failed_total", failed, outOfMemory.sum(), "cause", "memory");
        sink.counter("kvant_connections_failed_total", failed, unexpected.sum(), "cause", "unexpected");
    }

    private static boolean isDue(AtomicLong nextNanos) {
        long now = System.nanoTime();
        long next = nextNanos.get();
        return now - next >= 0 && nextNanos.compareAndSet(next, now + EVERY_NANOS);
    }
}
