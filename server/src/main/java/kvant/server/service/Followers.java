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
import kvant.engine.feed.ChangeCursor;
import kvant.engine.feed.ChangeFeed;
import kvant.engine.feed.ChangeSource;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.ScanLimiter;
import kvant.server.request.ChangeBatch;
import kvant.server.request.Failure;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.Request;
import org.jspecify.annotations.Nullable;

/// The followers of the store's changes: their number, and the thread that wakes waiting ones.
///
///     round --all sent--> waiting --something newer, a beat, the end--> round
///
/// One thread serves all of them, from the first one on. It wakes no more often than each [#PACE_NANOS], so that it
/// costs the commit thread next to nothing under load. Any thread may call.
public final class Followers implements AutoCloseable {

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
    private volatile boolean closed;

    Followers(Engine engine) {
        this.feed = engine instanceof ChangeSource source ? source.changes() : null;
    }

    /// Bounds the number of followers at a time, and the duration of an answer to one of them.
    public void bound(int followers, Duration life) {
        most = followers;
        longestNanos = TimeUnit.NANOSECONDS.convert(life);
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

    /// Ends all answers after their present round, for good.
    public void end() {
        ending = true;
        wakeThread();
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
            while (!closed) {
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
            long left = follower.dueNanos - nowNanos;
            if (ending || left <= 0 || follower.toldUpTo < newest) {
                each.remove();
                follower.wake();
            } else {
                dueNanos = Math.min(dueNanos, left);
            }
        }
        return dueNanos;
    }

    void measure(MetricSink sink) {
        sink.gauge("kvant_changes_followers", "Clients that follow the changes of the store.", count.get());
        long newest = feed == null ? 0 : feed.newest();
        long lag = 0;
        for (ChangeSubscriber follower : open) {
            lag = Math.max(lag, newest - follower.toldUpTo);
        }
        sink.gauge("kvant_changes_lag", "Changes not yet sent to the slowest follower.", lag);
        sink.counter("kvant_changes_told_total", "Changes sent.", told.sum());
        sink.counter("kvant_changes_told_bytes_total", "Bytes of their keys and values.", toldBytes.sum());
        String help = "Answers that ended because the changes asked for were no longer held.";
        sink.counter("kvant_changes_gone_total", help, gone.sum());
    }

    /// Ends the thread; there are no followers any more.
    @Override
    public void close() {
        closed = true;
        wakeThread();
    }

    /// A follower of the store's changes, between its rounds: its position, the remaining range, and the reused
    /// batch. It holds no file, and no memory of the engine.
    ///
    /// Belongs to the worker that runs the current round, between rounds to the event loop. While it waits for
    /// changes it takes no thread and no place among the ranges under way, and the claim for its answer is
    /// released.
    static final class ChangeSubscriber extends Rounds {

        /// Beats while it waits, at least.
        private static final int BEATS_OF_WAIT = 3;

        /// Beats that come sooner once the client sends nothing more. Where it has gone, the first one has the
        /// kernel learn so, and the next one fails.
        private static final int PROBES = 2;

        private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);

        private static final int CHANGE_OVERHEAD_BYTES = 64;

        // Constant.
        private final Followers others;
        private final Request.Changes request;
        private final ChangeBatch batch;
        private final long beganNanos = System.nanoTime();

        // Owned by the worker of the round.
        private @Nullable ChangeCursor cursor;
        private long lastVersion;
        private long newsNanos = beganNanos;
        private long roundBytes;

        // Owned by the loop.
        private boolean waits;
        private int probes;

        // Read by anyone.
        private volatile long toldUpTo;
        private volatile long dueNanos;

        ChangeSubscriber(
                CallExecutor executor, Followers others, ScanLimiter underWay, Call call, Request.Changes request) {
            super(executor, underWay, call);
            this.others = others;
            this.request = request;
            this.batch = new ChangeBatch(request.events());
        }

        /// Called once, by the worker of the first round.
        void start() {
            underWay.begun();
            try {
                ChangeFeed feed = others.feed();
                lastVersion = feed.newest();
                long from = request.from() == Request.Changes.NOW ? lastVersion : request.from();
                cursor = feed.after(from);
                toldUpTo = from;
                others.join(this);
            } catch (RuntimeException e) {
                failed(e);
            }
        }

        @Override
        Outcome pull(int maxBytes, AnswerMemory answers) {
            batch.clear();
            ChangeCursor place = cursor;
            if (place != null && batch.failure() == null) {
                try {
                    fill(place, maxBytes, answers);
                } catch (RuntimeException | Error e) {
                    batch.clear();
                    failed(e);
                }
            }
            batch.upTo(toldUpTo);
            if (batch.last()) {
                others.left(this);
            }
            return outcomeOf(batch);
        }

        private void fill(ChangeCursor place, int maxBytes, AnswerMemory answers) {
            roundBytes = 0;
            place.read(follows() ? Long.MAX_VALUE : lastVersion, maxBytes, (change, more) -> {
                batch.add(change, more);
                int last = batch.count() - 1;
                roundBytes += batch.key(last).length + batch.value(last).length + (long) CHANGE_OVERHEAD_BYTES;
            });
            if (!call.claimAnswer(answers, roundBytes)) {
                throw new EngineException.Busy(Failures.OVERLOADED.detail());
            }
            toldUpTo = place.version();
            batch.visible(others.feed().visible());
            long nowNanos = System.nanoTime();
            if (batch.count() > 0) {
                newsNanos = nowNanos;
                others.told(batch.count(), roundBytes - (long) batch.count() * CHANGE_OVERHEAD_BYTES);
            }
            endIfDue(nowNanos);
        }

        private void endIfDue(long nowNanos) {
            if (follows() ? nowNanos - newsNanos >= waitNanos() : toldUpTo >= lastVersion) {
                batch.complete();
            } else if (others.ending) {
                batch.breakOff(goOn("the node is ending"));
            } else if (nowNanos - beganNanos >= others.longestNanos) {
                long seconds = TimeUnit.NANOSECONDS.toSeconds(others.longestNanos);
                batch.breakOff(goOn("an answer lasts " + seconds + " s at most"));
            }
        }

        private static Outcome.Failed goOn(String reason) {
            return new Outcome.Failed(Failure.ENGINE_CLOSED, reason + ": continue from the last version sent");
        }

        private void failed(Throwable e) {
            if (e instanceof EngineException.Gone) {
                others.gone();
                batch.markGone();
            }
            batch.breakOff(Failures.of(e, call::named));
        }

        private boolean follows() {
            return request.waitSeconds() > 0;
        }

        private long waitNanos() {
            return TimeUnit.SECONDS.toNanos(request.waitSeconds());
        }

        // --- Between rounds ---

        @Override
        void resume() {
            if (others.feed().newest() > toldUpTo || others.ending) {
                super.resume();
                return;
            }
            call.releaseAnswer();
            waits = true;
            long nowNanos = System.nanoTime();
            long beatNanos = Math.min(Followers.BEAT_NANOS, waitNanos() / BEATS_OF_WAIT);
            if (call.inputEnded && probes < PROBES) {
                probes++;
                beatNanos = Math.min(beatNanos, PROBE_NANOS);
            }
            dueNanos = nowNanos + Math.clamp(newsNanos + waitNanos() - nowNanos, 1, beatNanos);
            others.await(this);
        }

        /// Any thread: there is something to tell.
        void wake() {
            call.mailbox.deliver(this::endWait);
        }

        private void endWait() {
            if (waits) {
                waits = false;
                super.resume();
            }
        }

        @Override
        void inputEnded() {
            endWait();
        }

        @Override
        boolean leave() {
            boolean waited = waits;
            waits = false;
            return waited;
        }

        @Override
        void closeLater() {
            others.left(this);
        }

        @Override
        boolean keepsClaim() {
            return false;
        }
    }
}
