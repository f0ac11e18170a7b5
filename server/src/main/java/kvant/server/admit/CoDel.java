package kvant.server.admit;

import java.util.concurrent.atomic.AtomicInteger;

/// A detector that tells a standing queue from a burst: a good queue is empty again soon, a bad one stays (Nichols
/// and Jacobson, "Controlling Queue Delay", 2012). While the queue stands, requests that have waited longer than the
/// target are refused, as in Maurer, "Fail at Scale" (ACM Queue, 2015).
///
/// A queue that is empty because all its requests were refused is as bad as before, unless a worker idles. Without
/// this rule the next requests would wait until the queue is found standing again. A standing queue has at least two
/// requests. A single waiting request is never refused, nor one for which an idle worker is on its way, however long
/// that takes, as on a machine that is busy or has just been started.
///
/// Counts waiting requests and idle workers. Any thread may call.
public final class CoDel {

    /// Requests that may wait in a standing queue, per worker, so that workers never run out of work.
    private static final int ENOUGH_FOR_A_WORKER = 4;

    // Constant.
    private final long targetNanos;
    private final long standingNanos;

    // Atomic.
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger idle = new AtomicInteger();
    private volatile long emptyNanos = System.nanoTime();
    private volatile long turnedAwayNanos;

    public CoDel(AdmissionOptions options) {
        targetNanos = options.targetDelay().toNanos();
        standingNanos = options.standing().toNanos();
        turnedAwayNanos = emptyNanos - standingNanos;
    }

    /// Counts a new waiting request.
    ///
    /// @param nowNanos the present
    /// @return whether a worker idles for it
    public boolean arrived(long nowNanos) {
        int before = waiting.getAndIncrement();
        int idling = idle.get();
        if (targetNanos > 0 && (before == 0 || idling > 0)) {
            emptyNanos = nowNanos;
        }
        return idling > before;
    }

    /// Counts an idle worker.
    public void idles() {
        idle.incrementAndGet();
        if (targetNanos > 0) {
            emptyNanos = System.nanoTime();
        }
    }

    /// Ends a worker's idle time. Requests waiting now have not lacked a worker until this moment.
    public void works() {
        if (targetNanos > 0) {
            emptyNanos = System.nanoTime();
        }
        idle.decrementAndGet();
    }

    /// Counts a request that has left the queue.
    public void left() {
        waiting.decrementAndGet();
    }

    public int waiting() {
        return waiting.get();
    }

    public boolean isStanding() {
        return isStanding(System.nanoTime());
    }

    public boolean isStanding(long nowNanos) {
        return targetNanos > 0
                && waiting.get() > 1
                && idle.get() == 0
                && (nowNanos - emptyNanos > standingNanos || turnedAwayLately(nowNanos));
    }

    /// Whether the queue stands and is so long that a further request would wait in vain.
    public boolean isFull(long nowNanos, int workers) {
        return waiting.get() >= ENOUGH_FOR_A_WORKER * workers && isStanding(nowNanos);
    }

    /// Whether the queue stands, or did recently: then it must be checked often.
    public boolean isOverloaded() {
        long nowNanos = System.nanoTime();
        return isStanding(nowNanos) || turnedAwayLately(nowNanos);
    }

    private boolean turnedAwayLately(long nowNanos) {
        return nowNanos - turnedAwayNanos < standingNanos;
    }

    /// Records the refusal of a request.
    public void turnedAway(long nowNanos) {
        turnedAwayNanos = nowNanos;
    }

    /// Whether a request that has waited since then must be refused.
    ///
    /// @param standing result of [#isStanding] before this request left the queue
    public boolean turnsAway(boolean standing, long sinceNanos, long nowNanos) {
        return standing && nowNanos - sinceNanos > targetNanos;
    }
}
