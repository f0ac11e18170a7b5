package kvant.move.copy;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;

/// The clocks of a copy, which tests replace, and its retries and waits when a store is busy or unreachable. A request
/// to stop ends a wait.
public class RetryPolicy {

    /// Attempts for one read or write, including the first: about half a minute in total.
    static final int MOST_TRIES = 10;

    private static final long FIRST_WAIT_NANOS = 100_000_000;
    private static final long LONGEST_WAIT_NANOS = 8_000_000_000L;

    /// Delay until a request to stop is noticed.
    private static final long SLICE_NANOS = 100_000_000;

    private final BooleanSupplier stopped;

    public RetryPolicy(BooleanSupplier stopped) {
        this.stopped = stopped;
    }

    /// As [System#nanoTime].
    long nanos() {
        return System.nanoTime();
    }

    /// As [System#currentTimeMillis].
    long millis() {
        return System.currentTimeMillis();
    }

    /// Waits for about this time; may return early.
    void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    boolean isStopped() {
        return stopped.getAsBoolean();
    }

    /// True if a retry may succeed. Repeating the write of a record is harmless.
    static boolean isPassing(EngineException failure) {
        return failure instanceof EngineException.Busy
                || failure instanceof EngineException.Unavailable
                || failure instanceof EngineException.OutcomeUnknown
                || failure instanceof EngineException.TimedOut;
    }

    /// Waiting time after a number of attempts; it doubles each time.
    static long waitNanos(int tries) {
        return Math.min(LONGEST_WAIT_NANOS, FIRST_WAIT_NANOS << Math.min(tries - 1, Integer.SIZE));
    }

    /// Waits; returns early on a request to stop.
    final void sleep(long nanos) {
        long endNanos = nanos() + nanos;
        for (long left = nanos; left > 0 && !isStopped(); left = endNanos - nanos()) {
            park(Math.min(left, SLICE_NANOS));
        }
    }
}
