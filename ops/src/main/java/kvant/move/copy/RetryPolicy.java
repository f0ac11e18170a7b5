package kvant.move.copy;

import java.util.function.BooleanSupplier;
import kvant.engine.EngineException;

/// How long a copy waits for a store that is busy or away, and that it stops waiting when it is asked to stop.
final class RetryPolicy {

    /// Tries of one read or write, the first among them: about half a minute in all.
    static final int MOST_TRIES = 10;

    private static final long FIRST_WAIT_NANOS = 100_000_000;
    private static final long LONGEST_WAIT_NANOS = 8_000_000_000L;

    /// How soon a request to stop is noticed.
    private static final long SLICE_NANOS = 100_000_000;

    private final Time time;
    private final BooleanSupplier stopped;

    RetryPolicy(Time time, BooleanSupplier stopped) {
        this.time = time;
        this.stopped = stopped;
    }

    Time time() {
        return time;
    }

    boolean isStopped() {
        return stopped.getAsBoolean();
    }

    /// Whether another try may go well. To write a record again changes nothing.
    static boolean isPassing(EngineException failure) {
        return failure instanceof EngineException.Busy
                || failure instanceof EngineException.Unavailable
                || failure instanceof EngineException.OutcomeUnknown
                || failure instanceof EngineException.TimedOut;
    }

    /// How long to wait after a number of tries; each wait is twice the one before.
    static long waitNanos(int tries) {
        return Math.min(LONGEST_WAIT_NANOS, FIRST_WAIT_NANOS << Math.min(tries - 1, Integer.SIZE));
    }

    /// Waits, unless asked to stop.
    void sleep(long nanos) {
        long endNanos = time.nanos() + nanos;
        for (long left = nanos; left > 0 && !isStopped(); left = endNanos - time.nanos()) {
            time.sleep(Math.min(left, SLICE_NANOS));
        }
    }
}
