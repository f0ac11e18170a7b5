package kvant.move.mirror;

/// A circuit breaker for the target. A failure opens it: then only a probe is sent now and then, after pauses that
/// double. Any thread may call.
///
///     CLOSED --failed--> OPEN --pause over, probe--> worked: CLOSED | failed: OPEN, with a longer pause
final class CircuitBreaker {

    private static final int LONGEST_PAUSE = 64; // of the first

    // Constant.
    private final long firstPauseNanos;

    // Guarded by this.
    private long pauseNanos;
    private long openUntilNanos;

    // Written by whoever holds this.
    private volatile boolean open;
    private volatile String reason = "";

    CircuitBreaker(long firstPauseNanos) {
        this.firstPauseNanos = firstPauseNanos;
    }

    boolean isClosed() {
        return !open;
    }

    /// Why it was opened last; empty when it never was.
    String reason() {
        return reason;
    }

    synchronized void failed(String newReason) {
        reason = newReason;
        long now = System.nanoTime();
        if (!open) {
            pauseNanos = firstPauseNanos;
        } else if (now - openUntilNanos >= 0) {
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE * firstPauseNanos);
        } else {
            return; // sent before it was opened
        }
        open = true;
        openUntilNanos = now + pauseNanos;
    }

    synchronized void worked() {
        open = false;
    }

    /// Whether a probe, or anything else, may be sent.
    synchronized boolean mayAsk() {
        return !open || System.nanoTime() - openUntilNanos >= 0;
    }
}
