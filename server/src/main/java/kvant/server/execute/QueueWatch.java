package kvant.server.execute;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;
import kvant.server.admit.CoDel;

/// Refuses calls in time while all workers may be blocked in the engine. It checks the queue seldom while it is
/// short, and often while it stands.
///
/// One thread per pool.
final class QueueWatch implements AutoCloseable {

    private static final Logger LOGGER = System.getLogger(QueueWatch.class.getName());

    private static final long IDLE_PERIOD_NANOS = 20_000_000;

    /// Added to the target delay, it is the longest wait of a refused client.
    private static final long OVERLOAD_PERIOD_NANOS = 1_000_000;

    /// A check that refuses calls which have waited too long.
    interface Look {

        /// @param everyone whether to check all waiting calls, not only the oldest ones
        void look(boolean everyone);
    }

    // Constant.
    private final Look look;
    private final CoDel queue;
    private final Thread thread;

    // Atomic.
    private volatile boolean closed;

    QueueWatch(String name, Look look, CoDel queue) {
        this.look = look;
        this.queue = queue;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::watch);
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        long thoroughNanos = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(this, queue.isOverloaded() ? OVERLOAD_PERIOD_NANOS : IDLE_PERIOD_NANOS);
            try {
                if (queue.waiting() > 0) {
                    boolean everyone = System.nanoTime() - thoroughNanos >= IDLE_PERIOD_NANOS;
                    look.look(everyone);
                    thoroughNanos = everyone ? System.nanoTime() : thoroughNanos;
                }
            } catch (Throwable e) { // the watch continues
                LOGGER.log(Level.ERROR, "looking after a queue failed", e);
            }
        }
    }
}
