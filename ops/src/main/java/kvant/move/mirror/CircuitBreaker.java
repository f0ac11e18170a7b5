package kvant.move.mirror;

/// A circuit breaker for the target. A failure opens it: only a probe is then sent occasionally, after pauses that
/// double. Any thread may call.
///
///     CLOSED --failed--> OPEN --pause over, probe--> worked: CLOSED | failed: OPEN, with a longer pause
final class CircuitBreaker {

    private static final int LONGEST_PAUSE = 64; // times the first pause

    // Constant.
    private final long firstPauseNanos;

    // Guarded by this.
    private long pauseNanos;
    private long openUntilNanos;

    // Written while holding the monitor.
    private volatile boolean open;
    private volatile String reason = "";

    CircuitBreaker(long firstPauseNanos) {
        this.firstPauseNanos = firstPauseNanos;
    }

    boolean isClosed() {
        return !open;
    }

    /// The reason it last opened; empty if it never did.
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
            return; // the request was sent before the breaker opened
        }
        open = true;
        openUntilNanos = now + pauseNanos;
    }

    synchronized void worked() {
        open = false;
    }

    /// Whether a probe or a normal request may be sent.
    synchronized boolean mayAsk() {
        return !open || System.nanoTime() - openUntilNanos >= 0;
    }
}
