package kvant.server.execute;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import kvant.engine.MetricSink;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.CoDel;
import kvant.server.execute.PoolThreads.Niceness;
import kvant.server.execute.RunnableCall.Refusal;
import kvant.server.execute.WorkQueue.Waiting;
import kvant.server.execute.WorkQueue.Waiting.Nudge;
import org.jspecify.annotations.Nullable;

/// A pool of workers behind one queue that runs calls.
///
/// The usual remedy: event loops stay free, but every call pays a hand-off and the lock of the queue.
///
///     submit --offer--> [queue of M] --take--> worker 1..N --> mailbox of the call's loop
///     force  ---------> [overflow] ----poll--/
///     watch  --the oldest, when it has waited too long--> 503
///
/// The pool refuses calls even when there is room: a call whose client is gone, whose deadline has passed, or that
/// has waited, or would wait, too long in a standing queue.
///
/// A pool of ranges starts no more of them than may be under way, because starting faster than finishing makes each
/// of them finish later. A worker without a place ([ScanLimiter]) waits for one, and meanwhile serves only rounds of
/// ranges under way. Its workers give way to event loops.
///
/// Room is counted over waiting and running calls, because a worker that has been woken but has not taken its call
/// yet would otherwise make a short queue look full.
///
/// A forced call waits in the overflow. A worker alternates between queue and overflow, so that neither keeps the
/// other waiting, and sleeps only on the queue. A forced call cannot be left behind: after putting it, `force` leaves
/// a nudge in the queue, unless there is one already, so that nudges never take the places of calls, nor their turns.
/// The worker that takes the nudge takes a forced call, and leaves another nudge if there are more of them. Workers
/// are never interrupted: an interrupt would close the file that an engine is just reading.
public final class PoolExecutor implements CallExecutor {

    private static final Logger LOGGER = System.getLogger(PoolExecutor.class.getName());

    private static final String POOL = "pool";

    /// The place that only a nudge may take.
    private static final int NUDGES = 1;

    /// Between two checks of the queue: seldom while it is short, and often while it stands.
    private static final long IDLE_PERIOD_NANOS = 20_000_000;

    /// Added to the target delay, it is the longest wait of a refused client.
    private static final long OVERLOAD_PERIOD_NANOS = 1_000_000;

    // Constant.
    private final PoolOptions options;
    private final String name;
    private final CoDel standing;
    private final WorkQueue waiting;
    private final PoolThreads threads;
    private final Thread watch;
    private final @Nullable ScanLimiter ranges;

    // Concurrent.
    private final Queue<RunnableCall> overflow = new ConcurrentLinkedQueue<>();
    private final AtomicInteger admitted = new AtomicInteger();
    private final AtomicLongArray notRun = new AtomicLongArray(NotRun.values().length);
    /// Whether a nudge is in the queue, or has been taken but not handled.
    private final AtomicBoolean nudged = new AtomicBoolean();
    private volatile boolean closed;

    /// Creates a pool without workers until [#start].
    ///
    /// @param around the queue; for tests
    PoolExecutor(String name, PoolOptions options, AdmissionOptions admission, UnaryOperator<WorkQueue> around) {
        this(name, options, admission, null, around);
    }

    private PoolExecutor(
            String name,
            PoolOptions options,
            AdmissionOptions admission,
            @Nullable ScanLimiter ranges,
            UnaryOperator<WorkQueue> around) {
        this.options = options;
        this.name = name;
        this.standing = new CoDel(admission);
        this.waiting = around.apply(new WorkQueue(options, capacity(options), standing));
        this.threads = new PoolThreads(name, options, this::work);
        this.watch = Thread.ofPlatform().name(name + "-watch").daemon().unstarted(this::watch);
        this.ranges = ranges;
    }

    /// @param name of the threads
    public static PoolExecutor started(String name, PoolOptions options, AdmissionOptions admission) {
        PoolExecutor pool = new PoolExecutor(name, options, admission, UnaryOperator.identity());
        pool.start();
        return pool;
    }

    /// @param name of the threads
    /// @param ranges bound on the calls under way
    public static PoolExecutor ofRanges(
            String name, PoolOptions options, AdmissionOptions admission, ScanLimiter ranges) {
        PoolExecutor pool = new PoolExecutor(name, options, admission, ranges, UnaryOperator.identity());
        pool.start();
        return pool;
    }

    /// Starts the workers, and the watch over the queue.
    void start() {
        threads.start();
        watch.start();
    }

    // --- From event loops and the owner ---

    @Override
    public boolean submit(RunnableCall call) {
        if (closed) {
            return false;
        }
        if (!reserve()) {
            if (options.onFull() == PoolOptions.OnFull.CALLER) {
                return runOnCaller(call);
            }
            count(NotRun.FULL);
            return false;
        }
        if (refusesAtOnce(call, threads.count())) {
            giveBack();
            return false;
        }
        call.threadFree(standing.arrived(call.queuedNanos()));
        if (!waiting.offer(call)) {
            throw new IllegalStateException("a reserved place is taken");
        }
        if (closed) { // perhaps too late for any worker
            dismissAll();
        }
        return true;
    }

    @Override
    public void force(RunnableCall call) {
        if (closed) {
            carryOut(call);
            return;
        }
        overflow.add(call);
        wakeWorkers();
        if (closed) {
            runOverflow();
        }
    }

    @Override
    public boolean rangesWait() {
        return ranges != null && standing.waiting() > 0;
    }

    @Override
    public void measure(MetricSink sink) {
        sink.gauge("kvant_pool_waiting", "Requests that wait for a worker.", standing.waiting(), POOL, name);
        sink.gauge("kvant_pool_workers", "Threads of the pool.", threads.count(), POOL, name);
        for (NotRun why : NotRun.values()) {
            long count = notRun.get(why.ordinal());
            if (why == NotRun.ABANDONED) {
                String help = "Requests that were not run, because their connections had ended.";
                sink.counter("kvant_pool_abandoned_total", help, count, POOL, name);
            } else {
                String help = "Requests that a pool answered 503 without running them.";
                String reason = why.name().toLowerCase(Locale.ROOT);
                sink.counter("kvant_pool_refused_total", help, count, POOL, name, "reason", reason);
            }
        }
    }

    @Override
    public boolean close() {
        closed = true;
        LockSupport.unpark(watch);
        dismissAll(); // the workers have little time, and are to spend it on what they have begun
        wakeWorkers();
        return threads.join();
    }

    private static int capacity(PoolOptions options) {
        return options.queue() == PoolOptions.UNBOUNDED
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, (long) options.queue() + options.maxWorkers() + NUDGES);
    }

    /// Takes a place, with one more worker where the queue is full and there may be more.
    private boolean reserve() {
        if (options.queue() == PoolOptions.UNBOUNDED) {
            return true;
        }
        if (!growWhileShort(admitted.incrementAndGet())) {
            admitted.decrementAndGet();
            return false;
        }
        return true;
    }

    /// Starts workers while more calls are admitted than run or may wait.
    ///
    /// @return false when there are as many as there may be, and still too few
    private boolean growWhileShort(int calls) {
        int now = threads.count();
        while (calls - now > options.queue()) {
            if (now >= options.maxWorkers()) {
                return false;
            }
            threads.grow(now);
            now = threads.count();
        }
        return true;
    }

    private void giveBack() {
        if (options.queue() != PoolOptions.UNBOUNDED) {
            admitted.decrementAndGet();
        }
    }

    private boolean runOnCaller(RunnableCall call) {
        call.startedAt(System.nanoTime());
        if (call.run(this)) {
            call.arrive();
        }
        return true;
    }

    /// Wakes workers for a forced call or the end of the pool. Workers that wait for room among the ranges do not
    /// notice a nudge.
    private void wakeWorkers() {
        nudge();
        if (ranges != null) {
            ranges.wake();
        }
    }

    private void nudge() {
        if (nudged.compareAndSet(false, true) && !waiting.offer(Nudge.NUDGE)) {
            nudged.set(false); // full of calls: a worker will look
        }
    }

    // --- The workers ---

    private void work() {
        if (ranges != null) { // were event loops to wait for it, neither batches nor refusals would leave in time
            Niceness.raise(Niceness.BEHIND_EVENT_LOOPS);
        }
        boolean goesOn = true;
        while (goesOn) {
            goesOn = serveBoth();
        }
    }

    /// Serves one call of the queue and one of the overflow, where there are such.
    ///
    /// @return false when the worker ends
    private boolean serveBoth() {
        RunnableCall queued = take();
        if (queued != null) {
            if (!overflow.isEmpty()) {
                nudge(); // the nudge may have been this worker's, and the call may take long
            }
            serve(queued);
            giveBack();
        }
        RunnableCall forced = overflow.poll(); // one: the rounds of many fast ranges have no end
        if (forced != null) {
            if (!overflow.isEmpty()) {
                nudge(); // another worker, if one sleeps
            }
            carryOut(forced);
        }
        if (closed && waiting.isEmpty()) {
            runOverflow();
            nudge(); // the next worker may be asleep: pass it on
            return false;
        }
        if (queued != null || forced != null || !threads.endsSurplus()) {
            return true;
        }
        growWhileShort(admitted.get()); // a call may have counted on this worker, whose time was over
        return false;
    }

    /// The next call of the queue; waits for one, unless there is a forced call to run.
    ///
    /// @return null when there is none, or none may be begun
    private @Nullable RunnableCall take() {
        Waiting taken = null;
        if (awaitRoom()) {
            taken = overflow.isEmpty() ? await() : waiting.poll();
        }
        while (true) {
            switch (taken) {
                case null -> {
                    return null;
                }
                case RunnableCall call -> {
                    return call;
                }
                case Nudge _ -> {
                    nudged.set(false); // before the check of its purpose
                    taken = hasRoom() ? waiting.poll() : null; // a nudge takes no call's turn
                }
            }
        }
    }

    /// Whether a call of the queue may be begun.
    private boolean hasRoom() {
        return ranges == null || closed || !ranges.isFull();
    }

    /// The same, after waiting for room, or for something else to do.
    private boolean awaitRoom() {
        if (ranges != null && !hasRoom()) {
            ranges.awaitRoom(() -> closed || !overflow.isEmpty());
        }
        return hasRoom();
    }

    private @Nullable Waiting await() {
        long nanos = threads.keepAliveNanos();
        Waiting next = waiting.poll();
        if (next != null) {
            return next;
        }
        standing.idles();
        try {
            while (true) {
                try {
                    return waiting.await(nanos);
                } catch (InterruptedException _) {
                    // No code of ours interrupts a worker; its end is `closed`.
                }
            }
        } finally {
            standing.works();
        }
    }

    private void serve(RunnableCall call) {
        long nowNanos = System.nanoTime();
        boolean stands = standing.isStanding(nowNanos);
        standing.left();
        if (!dismissed(call, stands, nowNanos)) {
            call.startedAt(nowNanos);
            carryOut(call);
        }
    }

    private void runOverflow() {
        for (RunnableCall call = overflow.poll(); call != null; call = overflow.poll()) {
            carryOut(call);
        }
    }

    // --- Refusals ---

    /// Whether a call would wait in vain: enough calls are ahead of it in a standing queue, and the pool has its
    /// largest number of workers.
    private boolean refusesAtOnce(RunnableCall call, int workers) {
        boolean refuses = options.onFull() == PoolOptions.OnFull.REJECT
                && workers >= options.maxWorkers()
                && standing.isFull(call.queuedNanos(), options.maxWorkers());
        if (refuses) {
            count(NotRun.STANDING);
        }
        return refuses;
    }

    /// Whether a waiting call must be refused.
    ///
    /// @param stands whether the queue stood before this call left it
    private boolean isStale(RunnableCall call, boolean stands, long nowNanos) {
        return call.isUnwanted()
                || call.isOverdue(nowNanos)
                || standing.turnsAway(stands, call.queuedNanos(), nowNanos);
    }

    /// Refuses a stale call.
    ///
    /// @return false when it is still to be run
    private boolean dismissed(RunnableCall call, boolean stands, long nowNanos) {
        if (call.isUnwanted()) {
            count(NotRun.ABANDONED);
            call.refuse(Refusal.OVERLOADED); // no client will see it
            return true;
        }
        if (call.isOverdue(nowNanos)) {
            count(NotRun.DEADLINE);
            call.refuse(Refusal.DEADLINE_PASSED);
            return true;
        }
        boolean turnedAway = standing.turnsAway(stands, call.queuedNanos(), nowNanos);
        if (turnedAway) {
            count(NotRun.STANDING);
            standing.turnedAway(nowNanos);
            call.refuse(Refusal.OVERLOADED);
        }
        return turnedAway;
    }

    // --- The watch, because workers may all be in the engine, or serve the newest first ---

    private void watch() {
        long thoroughNanos = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(this, standing.isOverloaded() ? OVERLOAD_PERIOD_NANOS : IDLE_PERIOD_NANOS);
            try {
                if (standing.waiting() > 0) {
                    boolean everyone = System.nanoTime() - thoroughNanos >= IDLE_PERIOD_NANOS;
                    dismissStale(everyone);
                    thoroughNanos = everyone ? System.nanoTime() : thoroughNanos;
                }
            } catch (Throwable e) { // the watch continues
                LOGGER.log(Level.ERROR, "looking after a queue failed", e);
            }
        }
    }

    /// @param everyone whether to check all waiting calls, not only the oldest ones
    private void dismissStale(boolean everyone) {
        long nowNanos = System.nanoTime();
        boolean stands = standing.isStanding(nowNanos);
        List<Waiting> stale = new ArrayList<>();
        if (everyone) {
            waiting.removeIf(each -> each instanceof RunnableCall call && isStale(call, stands, nowNanos), stale);
        } else {
            takeStaleOldest(stands, nowNanos, stale);
        }
        for (Waiting taken : stale) {
            switch (taken) {
                case RunnableCall call -> {
                    leftQueue();
                    if (!dismissed(call, stands, nowNanos)) {
                        force(call);
                    }
                }
                case Nudge nudge -> waiting.offer(nudge); // to its own place
            }
        }
    }

    /// Takes calls from the old end while they are stale. A nudge there hides the call behind it, so the nudge moves
    /// to the other end.
    private void takeStaleOldest(boolean stands, long nowNanos, List<Waiting> stale) {
        Waiting oldest = waiting.peekOldest();
        while (oldest instanceof Nudge || oldest instanceof RunnableCall call && isStale(call, stands, nowNanos)) {
            Waiting taken = waiting.pollOldest(); // perhaps another one, if a worker was faster
            if (taken == null) {
                return;
            }
            stale.add(taken);
            oldest = waiting.peekOldest();
        }
    }

    private void dismissAll() {
        for (Waiting taken = waiting.pollOldest(); taken != null; taken = waiting.pollOldest()) {
            switch (taken) {
                case RunnableCall call -> {
                    leftQueue();
                    call.refuse(Refusal.OVERLOADED);
                }
                case Nudge _ -> nudged.set(false);
            }
        }
        nudge();
    }

    private void count(NotRun why) {
        notRun.incrementAndGet(why.ordinal());
    }

    /// Counts a call that was taken from the queue by a thread other than a worker.
    private void leftQueue() {
        standing.left();
        giveBack();
    }

    /// Why a pool did not run a call.
    private enum NotRun {
        /// There was no room.
        FULL,
        /// It had waited too long in a queue that stood, or would have.
        STANDING,
        /// Its own time was over.
        DEADLINE,
        /// Its client was gone, so the answer was no longer needed.
        ABANDONED
    }
}
