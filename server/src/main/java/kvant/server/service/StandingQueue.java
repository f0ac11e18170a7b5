package kvant.server.service;

import java.util.concurrent.atomic.AtomicInteger;

/// Tells a standing queue from a burst: a good queue is empty again soon, a bad one stays (Nichols and
/// Jacobson, "Controlling Queue Delay", 2012). While the queue stands, who has waited longer than the target
/// is turned away, as in Maurer, "Fail at Scale" (ACM Queue, 2015).
///
/// Counts who waits. Any thread may call.
final class StandingQueue {

    // Constant.
    private final long targetNanos;
    private final long standingNanos;

    // Atomic.
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile long emptyNanos = System.nanoTime();

    StandingQueue(AdmissionOptions options) {
        targetNanos = options.targetDelay().toNanos();
        standingNanos = options.standing().toNanos();
    }

    /// One more waits.
    ///
    /// @param nowNanos the present
    void arrived(long nowNanos) {
        if (waiting.getAndIncrement() == 0) {
            emptyNanos = nowNanos;
        }
    }

    /// One waits no longer.
    void left() {
        waiting.decrementAndGet();
    }

    int waiting() {
        return waiting.get();
    }

    boolean isStanding() {
        return isStanding(System.nanoTime());
    }

    boolean isStanding(long nowNanos) {
        return targetNanos > 0 && waiting.get() > 0 && nowNanos - emptyNanos > standingNanos;
    }

    /// Whether somebody who has waited since then is to be turned away.
    ///
    /// @param standing what [#isStanding] said before this one left the queue
    boolean turnsAway(boolean standing, long sinceNanos, long nowNanos) {
        return standing && nowNanos - sinceNanos > targetNanos;
    }
}
