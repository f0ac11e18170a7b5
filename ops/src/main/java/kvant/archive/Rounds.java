package kvant.archive;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A thread of an archive: it does a round of its work, pauses, and does the next one until it is closed. After a
/// failed round the pause is short, and doubles with each further failure.
final class Rounds {

    enum Result {
        WORKED,
        FAILED,
        /// There will be no further round.
        OVER
    }

    interface Work {

        /// @param last whether this is closed, so that no round follows
        Result round(boolean last);
    }

    private static final long FIRST_RETRY_NANOS = Duration.ofMillis(200).toNanos();

    // Constant.
    private final Work work;
    private final long pauseNanos;
    private final long longestRetryNanos;
    private final Thread thread;

    // Guarded by this.
    private boolean closing;
    private boolean woken;

    Rounds(String name, Duration pause, Duration longestRetry, Work work) {
        this.work = work;
        this.pauseNanos = pause.toNanos();
        this.longestRetryNanos = longestRetry.toNanos();
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Has the next round begin at once, unless the last one failed.
    synchronized void wake() {
        woken = true;
        notifyAll();
    }

    /// The next round is the last one. Returns at once.
    synchronized void close() {
        closing = true;
        notifyAll();
    }

    /// Waits for the last round.
    void join(Duration limit) {
        try {
            thread.join(limit);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    private void run() {
        long retryNanos = FIRST_RETRY_NANOS;
        boolean last = false;
        while (!last) {
            last = isClosing();
            long beganNanos = System.nanoTime();
            Result result = work.round(last);
            if (result == Result.OVER) {
                return;
            }
            boolean worked = result == Result.WORKED;
            pause(worked ? beganNanos + pauseNanos : System.nanoTime() + retryNanos, worked);
            retryNanos = worked ? FIRST_RETRY_NANOS : Math.min(2 * retryNanos, longestRetryNanos);
        }
    }

    /// @param wakes whether [#wake] ends it
    private synchronized void pause(long endNanos, boolean wakes) {
        try {
            for (long left = endNanos - System.nanoTime();
                    left > 0 && !closing && !(wakes && woken);
                    left = endNanos - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException _) {
            closing = true;
        }
        woken &= !wakes;
    }
}
