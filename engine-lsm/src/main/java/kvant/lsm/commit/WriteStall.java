package kvant.lsm.commit;

import java.util.concurrent.TimeUnit;
import kvant.engine.ActivitySink;
import kvant.engine.EngineException;
import kvant.lsm.commit.WriteThrottle.StallCause;
import kvant.lsm.store.Backlog;
import kvant.lsm.store.Store;
import org.jspecify.annotations.Nullable;

/// Delays commit groups while flush and compaction lag behind, by the rules of [WriteThrottle], and refuses them when
/// they have been stopped for too long.
///
/// Belongs to the commit thread. It takes no lock: it looks at the store's backlog, which changes with the super
/// version, and is woken when that does. A store that is draining is not slowed down any more.
final class WriteStall {

    private static final StallCause[] CAUSES = StallCause.values();

    /// Shortest reported stall: shorter ones come with every group while writes are slowed down, too many to report
    /// each.
    private static final long TOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    // Constant.
    private final Store store;
    private final WriteThrottle throttle;
    private final Backlog backlog;
    private final CommitFigures figures;

    // Commit thread.
    private StallCause worst = StallCause.MEMTABLES;
    private double lag;
    private long bytesBefore;
    private boolean isStopped;
    private long stoppedSinceNanos;

    WriteStall(Store store, WriteThrottle throttle, CommitFigures figures) {
        this.store = store;
        this.throttle = throttle;
        this.backlog = store.backlog();
        this.figures = figures;
    }

    /// The longest delay of a group that comes now. Work that cannot wait so long must be done before.
    long expectedNanos() {
        look();
        return mustStop() ? throttle.maxStall().toNanos() : delayNanos();
    }

    /// Counts an accepted group.
    void took(long bytes) {
        bytesBefore = bytes;
    }

    /// Waits for as long as a group is to be held back.
    ///
    /// @return why the group cannot be taken, or null
    @Nullable
    EngineException hold() {
        look();
        if (lag == 0) {
            isStopped = false;
            return null;
        }
        CommitEvent.Stall event = new CommitEvent.Stall();
        StallCause cause = worst;
        long beginNanos = event.beginNow();
        boolean isTold = mustStop() || delayNanos() >= TOLD_NANOS;
        ActivitySink activities = isTold ? store.figures().activities() : ActivitySink.NONE;
        long activity = activities.began("write stall");
        backlog.begin();
        EngineException refusal;
        try {
            refusal = awaitRoom();
            if (refusal == null) {
                delay(beginNanos);
            }
        } finally {
            backlog.end();
            activities.ended(activity);
        }
        long nanos = System.nanoTime() - beginNanos;
        figures.stalled(cause, nanos);
        event.end(cause.label(), nanos, refusal != null);
        return refusal;
    }

    /// Waits while no write can be taken at all, unless nothing is being done about it.
    private @Nullable EngineException awaitRoom() {
        for (look(); mustStop(); look()) {
            if (!isStopped) {
                isStopped = true;
                stoppedSinceNanos = System.nanoTime();
            }
            EngineException failure =
                    worst == StallCause.MEMTABLES ? store.health().flushFailure() : null;
            if (failure != null) {
                return failure;
            }
            long leftNanos = throttle.maxStall().toNanos() - (System.nanoTime() - stoppedSinceNanos);
            if (leftNanos <= 0) {
                return stopped();
            }
            backlog.await(leftNanos);
        }
        isStopped = false;
        return null;
    }

    private EngineException stopped() {
        String stopped = "writes have stopped, because too many " + worst.explanation();
        EngineException obstacle =
                worst == StallCause.MEMTABLES ? null : store.health().mergeObstacle();
        return new EngineException.Busy(
                obstacle == null
                        ? stopped + "; they resume by themselves"
                        : stopped + ", which is held up: " + obstacle.getMessage());
    }

    /// Looks again at each change: there may be less to wait for.
    private void delay(long beginNanos) {
        while (!backlog.isDraining()) {
            long leftNanos = delayNanos() - (System.nanoTime() - beginNanos);
            if (leftNanos <= 0) {
                return;
            }
            backlog.await(leftNanos);
            look();
        }
    }

    /// The delay of a group, by the bytes of the one before it: its own bytes are known only when it is encoded.
    private long delayNanos() {
        return throttle.delayNanos(worst, lag, bytesBefore, store.room());
    }

    private boolean mustStop() {
        return lag >= 1;
    }

    private void look() {
        Backlog.Amount now = backlog.now();
        double memtableShare = store.room().shareTaken(store.active(), now);
        lag = 0;
        worst = StallCause.MEMTABLES;
        for (StallCause cause : CAUSES) {
            double each = throttle.lag(cause, memtableShare, now.levelZeroRuns(), now.debtBytes());
            if (each > lag) {
                lag = each;
                worst = cause;
            }
        }
    }
}
