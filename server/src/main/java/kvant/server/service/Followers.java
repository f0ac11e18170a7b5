package kvant.server.service;

import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.Engine;
import kvant.engine.EngineException;
import kvant.engine.MetricSink;
import kvant.engine.feed.ChangeFeed;
import kvant.engine.feed.ChangeSource;
import org.jspecify.annotations.Nullable;

/// The followers of the store's changes: their number, and the thread that wakes waiting ones.
///
///     round --all told--> waiting --something newer, a beat, the end--> round
///
/// One thread serves all of them, from the first one on. It wakes no more often than each [#PACE_NANOS], so that it
/// costs the commit thread next to nothing under load. Any thread may call.
final class Followers implements AutoCloseable {

    /// Interval of heartbeats to a waiting follower without new changes, so that each end knows that the other one
    /// lives.
    static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    // Constant.
    private final @Nullable ChangeFeed feed;

    // Concurrent.
    private final Set<ChangeSubscriber> open = ConcurrentHashMap.newKeySet();
    private final Set<ChangeSubscriber> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder told = new LongAdder();
    private final LongAdder toldBytes = new LongAdder();
    private final LongAdder gone = new LongAdder();
    private volatile int most = Integer.MAX_VALUE;
    private volatile long longestNanos = Long.MAX_VALUE;
    private volatile boolean ending;

    // Guarded by this.
    private @Nullable Thread thread;
    private boolean closed;

    Followers(Engine engine) {
        this.feed = engine instanceof ChangeSource source ? source.changes() : null;
    }

    /// Bounds the number of followers at a time, and the duration of an answer to one of them.
    void bound(int followers, Duration life) {
        most = followers;
        longestNanos = TimeUnit.NANOSECONDS.convert(life);
    }

    /// Then one who follows has to come again, with a token that is still valid.
    long longestNanos() {
        return longestNanos;
    }

    /// @throws EngineException.Unsupported when the engine has no change feed
    ChangeFeed feed() {
        if (feed == null) {
            throw new EngineException.Unsupported("the engine of this node has no change feed: changes need"
                    + " '--engine lsm', and a store that is not being moved");
        }
        return feed;
    }

    /// @throws EngineException.Busy when there are as many as there may be
    void join(ChangeSubscriber follower) {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            throw new EngineException.Busy("as many clients follow the changes of this node as may (" + most
                    + ", --admission.followers): try again later");
        }
        open.add(follower);
    }

    /// Removes a follower. May be called repeatedly.
    void left(ChangeSubscriber follower) {
        waiting.remove(follower);
        if (open.remove(follower)) {
            count.decrementAndGet();
        }
    }

    void told(long changes, long bytes) {
        told.add(changes);
        toldBytes.add(bytes);
    }

    void gone() {
        gone.increment();
    }

    /// Has a follower woken when there are changes after those sent to it.
    void await(ChangeSubscriber follower) {
        waiting.add(follower);
        LockSupport.unpark(started());
    }

    /// Ends all answers after their present round.
    void end() {
        ending = true;
        wakeThread();
    }

    boolean isEnding() {
        return ending;
    }

    private synchronized @Nullable Thread started() {
        if (thread == null && !closed) {
            thread = Thread.ofPlatform().name("kvant-followers").daemon().start(this::run);
        }
        return thread;
    }

    private synchronized void wakeThread() {
        LockSupport.unpark(thread);
    }

    private void run() {
        try {
            while (!isClosed()) {
                long newest = feed().newest();
                long dueNanos = wake(newest);
                if (waiting.isEmpty()) {
                    LockSupport.park(this); // a new follower unparks
                } else {
                    feed().await(newest, dueNanos);
                    TimeUnit.NANOSECONDS.sleep(PACE_NANOS);
                }
            }
        } catch (InterruptedException _) {
            // No code interrupts this thread.
        }
    }

    /// @return delay until the next heartbeat, in nanoseconds
    private long wake(long newest) {
        long nowNanos = System.nanoTime();
        long dueNanos = BEAT_NANOS;
        for (Iterator<ChangeSubscriber> each = waiting.iterator(); each.hasNext(); ) {
            ChangeSubscriber follower = each.next();
            long left = follower.dueNanos() - nowNanos;
            if (ending || left <= 0 || follower.toldUpTo() < newest) {
                each.remove();
                follower.wake();
            } else {
                dueNanos = Math.min(dueNanos, left);
            }
        }
        return dueNanos;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    void measure(MetricSink sink) {
        sink.gauge("kvant_changes_followers", "Clients that follow the changes of the store.", count.get());
        long newest = feed == null ? 0 : feed.newest();
        long lag = 0;
        for (ChangeSubscriber follower : open) {
            lag = Math.max(lag, newest - follower.toldUpTo());
        }
        sink.gauge("kvant_changes_lag", "Changes not yet sent to the slowest follower.", lag);
        sink.counter("kvant_changes_told_total", "Changes sent.", told.sum());
        sink.counter("kvant_changes_told_bytes_total", "Bytes of their keys and values.", toldBytes.sum());
        sink.counter(
                "kvant_changes_gone_total",
                "Answers that ended because the changes asked for were no longer held.",
                gone.sum());
    }

    /// Ends the thread; there are no followers any more.
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        wakeThread();
    }
}
