package kvant.server.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.MetricSink;
import org.jspecify.annotations.Nullable;

/// Runs calls on a pool of workers behind one queue.
///
/// The classic remedy: event loops stay free, but every call pays a hand-off and the lock of the queue.
///
///     submit --offer--> [queue of M] --take--> worker 1..N --> mailbox of the call's loop
///     force  ---------> [overflow] ----poll--/
///     watch  --the oldest, when it has waited too long--> 503
///
/// Room is counted over those who wait and those who run, because a worker that has been woken but has not
/// taken its call yet would otherwise make a short queue look full.
///
/// A forced call waits in the overflow. A worker serves queue and overflow in turns, so that neither keeps
/// the other waiting, and sleeps only on the queue. A pool of ranges has a bound on that ([RangesUnderWay]), because
/// what is begun faster than it is finished is finished ever later.
///
/// A forced call cannot be stranded: after putting it, `force` leaves a nudge in the queue, unless there is one
/// already, so that nudges never take the places of calls, nor their turns. Whoever takes the nudge takes a forced
/// call, and leaves another nudge if there are more of them. Workers are never interrupted: an interrupt would close
/// the file that an engine is just reading.
final class PoolExecutor implements CallExecutor {

    private static final Logger LOGGER = System.getLogger(PoolExecutor.class.getName());

    /// How long [#close] waits for the workers, all of them together, to come back from the engine.
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    /// The place that only a nudge may take.
    private static final int NUDGES = 1;

    /// Makes a worker look at the overflow and at [#closed].
    private static final Object NUDGE = new Object();

    // Constant.
    private final String name;
    private final UseCases useCases;
    private final PoolOptions options;
    private final @Nullable RangesUnderWay ranges;
    private final WaitingCalls waiting;
    private final StandingQueue standing;
    private final QueueWatch watch;
    private final PoolFigures figures;

    // Concurrent.
    private final Queue<Call> overflow = new ConcurrentLinkedQueue<>();
    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicInteger names = new AtomicInteger();
    private final AtomicInteger admitted = new AtomicInteger();
    /// Whether a nudge waits in the queue, or somebody holds it.
    private final AtomicBoolean nudged = new AtomicBoolean();
    private volatile boolean closed;

    /// @param name of the threads
    /// @param ranges what bounds the calls that are under way; none where there is no bound
    PoolExecutor(
            String name,
            UseCases useCases,
            PoolOptions options,
            AdmissionOptions admission,
            @Nullable RangesUnderWay ranges) {
        this.ranges = ranges;
        this.name = name;
        this.useCases = useCases;
        this.options = options;
        this.figures = new PoolFigures(name);
        this.standing = new StandingQueue(admission);
        this.waiting = WaitingCalls.of(options, capacity(options), standing);
        while (threads.get() < options.workers()) {
            threads.incrementAndGet();
            startWorker();
        }
        this.watch = new QueueWatch(name + "-watch", this::dismissStale, standing);
    }

    @Override
    public boolean submit(Call call) {
        if (closed) {
            return false;
        }
        if (!reserve()) {
            if (options.onFull() == PoolOptions.OnFull.CALLER) {
                return runOnCaller(call);
            }
            figures.full();
            return false;
        }
        if (refusesAtOnce(call)) {
            giveBack();
            figures.turnedAway();
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
    public void force(Call call) {
        if (closed) {
            run(call);
            return;
        }
        overflow.add(call);
        nudge();
        wakeBounded();
        if (closed) {
            runOverflow();
        }
    }

    /// Workers that wait for room among the ranges do not hear of a nudge.
    private void wakeBounded() {
        if (ranges != null) {
            ranges.wake();
        }
    }

    private void nudge() {
        if (nudged.compareAndSet(false, true) && !waiting.offer(NUDGE)) {
            nudged.set(false); // full of calls: a worker will look
        }
    }

    @Override
    public void measure(MetricSink sink) {
        figures.measure(sink, standing.waiting(), threads.get());
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        nudge();
        wakeBounded();
        long end = System.nanoTime() + CLOSE_WAIT.toNanos();
        for (Thread worker : workers) {
            try {
                worker.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
            if (worker.isAlive()) {
                LOGGER.log(Level.WARNING, worker.getName() + " is still busy in the engine; not waiting for it");
            }
        }
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
        int place = admitted.incrementAndGet();
        while (true) {
            int now = threads.get();
            if (place - now <= options.queue()) {
                return true;
            }
            if (now >= options.maxWorkers()) {
                admitted.decrementAndGet();
                return false;
            }
            if (threads.compareAndSet(now, now + 1)) {
                startWorker();
            }
        }
    }

    /// Whether it would wait in vain: behind enough others in a queue that stands, with all the workers there may be.
    private boolean refusesAtOnce(Call call) {
        return options.onFull() == PoolOptions.OnFull.REJECT
                && threads.get() >= options.maxWorkers()
                && standing.isFull(call.queuedNanos(), options.maxWorkers());
    }

    private void giveBack() {
        if (options.queue() != PoolOptions.UNBOUNDED) {
            admitted.decrementAndGet();
        }
    }

    private void startWorker() {
        Thread worker = Thread.ofPlatform()
                .name(name + "-" + names.getAndIncrement())
                .daemon()
                .unstarted(this::work);
        workers.add(worker);
        worker.start();
    }

    private boolean runOnCaller(Call call) {
        call.startedNow();
        if (useCases.run(call, this)) {
            call.arrive();
        }
        return true;
    }

    private void work() {
        if (ranges != null) { // were event loops to wait for them, neither batches nor refusals would leave in time
            Niceness.raise(Niceness.BEHIND_EVENT_LOOPS);
        }
        while (true) {
            Object taken = mayBegin() ? overflow.isEmpty() ? await() : waiting.poll() : null;
            while (taken == NUDGE) {
                nudged.set(false); // before looking at what it was for
                taken = mayBeginNow() ? waiting.poll() : null; // a nudge takes no call's turn
            }
            if (taken instanceof Call call) {
                serve(call);
                giveBack();
            }
            Call next = overflow.poll(); // one: the rounds of many fast ranges have no end
            if (next != null) {
                if (!overflow.isEmpty()) {
                    nudge(); // another worker, if one sleeps
                }
                run(next);
            }
            if (closed && waiting.isEmpty()) {
                runOverflow();
                nudge(); // the next worker may be asleep: pass it on
                return;
            }
            if (taken == null && next == null && isSurplus()) {
                workers.remove(Thread.currentThread());
                return;
            }
        }
    }

    /// Waits for something to do while there is no room to begin anything.
    private boolean mayBegin() {
        if (ranges != null && !mayBeginNow()) {
            ranges.awaitRoom(() -> closed || !overflow.isEmpty());
        }
        return mayBeginNow();
    }

    private boolean mayBeginNow() {
        return ranges == null || closed || !ranges.isFull();
    }

    private @Nullable Object await() {
        boolean mayEnd = threads.get() > options.workers();
        long nanos = mayEnd ? options.keepAlive().toNanos() : Long.MAX_VALUE;
        Object next = waiting.poll();
        if (next != null) {
            return next;
        }
        standing.idles();
        try {
            while (true) {
                try {
                    return waiting.await(nanos);
                } catch (InterruptedException _) {
                    // Nobody of ours interrupts a worker; its end is `closed`.
                }
            }
        } finally {
            standing.works();
        }
    }

    /// Whether this worker, which waited for its whole keep-alive time, is one too many; then it is counted
    /// out. Its place is looked at once more by whoever needs one, so no call is left behind.
    private boolean isSurplus() {
        int now = threads.get();
        return now > options.workers() && threads.compareAndSet(now, now - 1);
    }

    private void serve(Call call) {
        long nowNanos = System.nanoTime();
        boolean stands = standing.isStanding(nowNanos);
        standing.left();
        if (!dismissed(call, stands, nowNanos)) {
            call.startedAt(nowNanos);
            run(call);
        }
    }

    private void runOverflow() {
        for (Call call = overflow.poll(); call != null; call = overflow.poll()) {
            run(call);
        }
    }

    /// A worker outlives whatever a call does to it.
    private void run(Call call) {
        try {
            if (useCases.run(call, this)) {
                call.mailbox().deliver(call);
            }
        } catch (Throwable e) {
            LOGGER.log(Level.ERROR, "a worker failed outside of a request", e);
        }
    }

    /// Turns a call away whose time is over, or that has waited too long in a standing queue.
    ///
    /// @return false when it is still to be run
    private boolean dismissed(Call call, boolean stands, long nowNanos) {
        if (call.isOverdue(nowNanos)) {
            figures.expired();
            dismiss(call, Failures.DEADLINE_PASSED);
            return true;
        }
        boolean turnedAway = standing.turnsAway(stands, call.queuedNanos(), nowNanos);
        if (turnedAway) {
            figures.turnedAway();
            standing.turnedAway(nowNanos);
            dismiss(call, Failures.OVERLOADED);
        }
        return turnedAway;
    }

    private static void dismiss(Call call, Outcome.Failed reason) {
        call.outcome(reason);
        call.mailbox().deliver(call);
    }

    /// For the watch: workers may all be in the engine, or serve the newest first.
    ///
    /// @param everyone whether to look at all who wait, not only at those who have waited longest
    private void dismissStale(boolean everyone) {
        long nowNanos = System.nanoTime();
        boolean stands = standing.isStanding(nowNanos);
        List<Object> stale = new ArrayList<>();
        if (everyone) {
            waiting.removeIf(each -> each instanceof Call call && isStale(call, stands, nowNanos), stale);
        } else {
            // A nudge at the old end hides whoever is behind it: it goes to the other end.
            for (Object oldest = waiting.peekOldest();
                    oldest == NUDGE || oldest instanceof Call call && isStale(call, stands, nowNanos);
                    oldest = waiting.peekOldest()) {
                Object taken = waiting.pollOldest(); // perhaps another one, if a worker was faster
                if (taken == null) {
                    break;
                }
                stale.add(taken);
            }
        }
        for (Object taken : stale) {
            if (taken instanceof Call call) {
                standing.left();
                giveBack();
                if (!dismissed(call, stands, nowNanos)) {
                    force(call);
                }
            } else {
                waiting.offer(taken); // the nudge, to its own place
            }
        }
    }

    private boolean isStale(Call call, boolean stands, long nowNanos) {
        return call.isOverdue(nowNanos) || standing.turnsAway(stands, call.queuedNanos(), nowNanos);
    }

    private void dismissAll() {
        for (Object taken = waiting.pollOldest(); taken != null; taken = waiting.pollOldest()) {
            if (taken instanceof Call call) {
                standing.left();
                giveBack();
                dismiss(call, Failures.OVERLOADED);
            } else {
                nudged.set(false);
            }
        }
        nudge();
    }
}
