package kvant.lsm;

import java.util.concurrent.TimeUnit;
import kvant.engine.ActivitySink;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// Holds commit groups back while flush and compaction lag behind, as [WriteThrottle] says, and turns them away
/// when they have been stopped for too long.
///
/// Belongs to the commit thread. It takes no lock: it looks at the store's backlog, which changes with the super
/// version, and is woken when that does. A store that is draining is not slowed down any more.
final class WriteStall {

    private static final StallCause[] CAUSES = StallCause.values();

    /// Shorter ones come with every group while writes are slowed down: too many to tell of each.
    private static final long TOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    // Constant.
    private final LsmOptions options;
    private final WriteThrottle throttle;
    private final Store store;
    private final CommitFigures figures;

    // Commit thread.
    private StallCause worst = StallCause.MEMTABLES;
    private double lag;
    private boolean stopped;
    private long stoppedSinceNanos;

    WriteStall(LsmOptions options, Store store, CommitFigures figures) {
        this.options = options;
        this.throttle = options.throttle();
        this.store = store;
        this.figures = figures;
    }

    /// How long the next group would be held back at most if it came now. What cannot wait so long is to be
    /// done before.
    long expectedNanos() {
        look();
        return mustStop() ? throttle.maxStall().toNanos() : throttle.delayNanos(lag);
    }

    /// Waits for as long as a group is to be held back.
    ///
    /// @return why the group cannot be taken, or null
    @Nullable
    EngineException hold() {
        look();
        if (lag == 0) {
            stopped = false;
            return null;
        }
        WriteStallEvent event = new WriteStallEvent();
        StallCause cause = worst;
        long beginNanos = event.beginNow();
        boolean isTold = mustStop() || throttle.delayNanos(lag) >= TOLD_NANOS;
        ActivitySink activities = isTold ? store.operations().figures().activities() : ActivitySink.NONE;
        long activity = activities.began("write stall");
        store.backlog().begin();
        EngineException refusal;
        try {
            refusal = awaitRoom();
            if (refusal == null) {
                delay(beginNanos);
            }
        } finally {
            store.backlog().end();
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
            if (!stopped) {
                stopped = true;
                stoppedSinceNanos = System.nanoTime();
            }
            EngineException trouble = worst == StallCause.MEMTABLES ? store.flushTrouble() : null;
            if (trouble != null) {
                return trouble;
            }
            long leftNanos = throttle.maxStall().toNanos() - (System.nanoTime() - stoppedSinceNanos);
            if (leftNanos <= 0) {
                return new EngineException.Busy(
                        "writes have stopped, because too many " + worst.explanation() + "; they go on by themselves");
            }
            store.backlog().await(leftNanos);
        }
        stopped = false;
        return null;
    }

    /// Looks again at each change: there may be less to wait for.
    private void delay(long beginNanos) {
        while (!store.backlog().isDraining()) {
            long leftNanos = throttle.delayNanos(lag) - (System.nanoTime() - beginNanos);
            if (leftNanos <= 0) {
                return;
            }
            store.backlog().await(leftNanos);
            look();
        }
    }

    private boolean mustStop() {
        return lag >= 1;
    }

    private void look() {
        Backlog backlog = store.backlog().now();
        double memtableShare = backlog.memtableShare(store.current().active(), options);
        int levelZeroRuns = backlog.levelZeroRuns();
        long debtBytes = store.compactionDebtBytes();
        lag = 0;
        worst = StallCause.MEMTABLES;
        for (StallCause cause : CAUSES) {
            double each = throttle.lag(cause, memtableShare, levelZeroRuns, debtBytes);
            if (each > lag) {
                lag = each;
                worst = cause;
            }
        }
    }
}
