package kvant.server.execute;

import kvant.server.admit.StandingQueue;
import kvant.server.execute.PoolOptions.OnFull;
import kvant.server.execute.RunnableCall.Refusal;

/// Whom a pool turns away although there is room: whose client is gone, whose deadline has passed, who has waited too
/// long in a standing queue, and who would.
///
/// Any thread may call.
final class QueueDiscipline {

    // Constant.
    private final PoolOptions options;
    private final StandingQueue standing;
    private final PoolFigures figures;

    QueueDiscipline(PoolOptions options, StandingQueue standing, PoolFigures figures) {
        this.options = options;
        this.standing = standing;
        this.figures = figures;
    }

    /// Whether a call would wait in vain: behind enough others in a queue that stands, with all the workers there may
    /// be.
    boolean refusesAtOnce(RunnableCall call, int workers) {
        boolean refuses = options.onFull() == OnFull.REJECT
                && workers >= options.maxWorkers()
                && standing.isFull(call.queuedNanos(), options.maxWorkers());
        if (refuses) {
            figures.turnedAway();
        }
        return refuses;
    }

    /// Whether a call that waits is to be turned away.
    ///
    /// @param stands whether the queue stood before this call left it
    boolean isStale(RunnableCall call, boolean stands, long nowNanos) {
        return call.isUnwanted()
                || call.isOverdue(nowNanos)
                || standing.turnsAway(stands, call.queuedNanos(), nowNanos);
    }

    /// Turns a call away that is stale.
    ///
    /// @return false when it is still to be run
    boolean dismissed(RunnableCall call, boolean stands, long nowNanos) {
        if (call.isUnwanted()) {
            figures.abandoned();
            call.refuse(Refusal.OVERLOADED); // which nobody will see
            return true;
        }
        if (call.isOverdue(nowNanos)) {
            figures.expired();
            call.refuse(Refusal.DEADLINE_PASSED);
            return true;
        }
        boolean turnedAway = standing.turnsAway(stands, call.queuedNanos(), nowNanos);
        if (turnedAway) {
            figures.turnedAway();
            standing.turnedAway(nowNanos);
            call.refuse(Refusal.OVERLOADED);
        }
        return turnedAway;
    }
}
