package kvant.server.admit;

import java.util.concurrent.atomic.AtomicInteger;

/// Tells a standing queue from a burst: a good queue is empty again soon, a bad one stays (Nichols and
/// Jacobson, "Controlling Queue Delay", 2012). While the queue stands, who has waited longer than the target
/// is turned away, as in Maurer, "Fail at Scale" (ACM Queue, 2015).
///
/// A queue that is empty because everybody was turned away is as bad as before, unless a worker idles: without
/// that, whoever comes next would wait for as long as it takes to find out again. It takes two to stand: nobody is
/// turned away who is the only one that waits, or for whom a worker has nothing else to do, however long that takes to
/// come, as on a machine that is busy or has just been started.
///
/// Counts who waits and who idles. Any thread may call.
public final class CoDel {

    /// Who may wait in a queue that stands, for each worker, so that it never runs out of work.
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

    /// One more waits.
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

    /// A worker has nothing to do.
    public void idles() {
        idle.incrementAndGet();
        if (targetNanos > 0) {
            emptyNanos = System.nanoTime();
        }
    }

    /// It has something to do again; whoever waits did not wait for want of a worker until now.
    public void works() {
        if (targetNanos > 0) {
            emptyNanos = System.nanoTime();
        }
        idle.decrementAndGet();
    }

    /// One waits no longer.
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

    /// Whether it stands, with so many in it that one more would wait in vain.
    public boolean isFull(long nowNanos, int workers) {
        return waiting.get() >= ENOUGH_FOR_A_WORKER * workers && isStanding(nowNanos);
    }

    /// Whether it stands, or did until lately: then it is to be looked at often.
    public boolean isOverloaded() {
        long nowNanos = System.nanoTime();
        return isStanding(nowNanos) || turnedAwayLately(nowNanos);
    }

    private boolean turnedAwayLately(long nowNanos) {
        return nowNanos - turnedAwayNanos < standingNanos;
    }

    /// Somebody was turned away.
    public void turnedAway(long nowNanos) {
        turnedAwayNanos = nowNanos;
    }

    /// Whether somebody who has waited since then is to be turned away.
    ///
    /// @param standing what [#isStanding] said before this one left the queue
    public boolean turnsAway(boolean standing, long sinceNanos, long nowNanos) {
        return standing && nowNanos - sinceNanos > targetNanos;
    }
}
