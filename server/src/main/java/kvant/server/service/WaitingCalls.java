package kvant.server.service;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/// What calls wait in for a worker. Any thread may put and take.
///
/// Holds calls and nudges; a nudge is whatever else the pool puts in to wake a worker.
interface WaitingCalls {

    /// Puts one in.
    ///
    /// @return false when there is no room
    boolean offer(Object call);

    /// Takes the next one, without waiting; null when there is none.
    @Nullable
    Object poll();

    /// Takes the next one, waiting for it; null when the time has passed.
    @Nullable
    Object await(long nanos) throws InterruptedException;

    /// The one that has waited longest, left where it is; or null.
    @Nullable
    Object peekOldest();

    /// Takes the one that has waited longest, without waiting; or null.
    @Nullable
    Object pollOldest();

    boolean isEmpty();

    /// Moves those that are meant to the list; only from the old end on, where the structure lets nobody else out, and
    /// not all of them where there are many.
    /// Each is moved to the list, or taken by a worker, and never both.
    void removeIf(Predicate<Object> meant, List<Object> removed);

    /// Most that one look takes out of a linked structure, each with a search of its own.
    int MOST_OF_A_LOOK = 1000;

    /// `Collection#removeIf` would not do for linked structures: they ask the predicate first and look later whether
    /// somebody else has taken the element meanwhile. An array has its lock all the time.
    private static void moveIf(Queue<Object> queue, Predicate<Object> meant, List<Object> removed) {
        if (queue instanceof ArrayBlockingQueue) {
            queue.removeIf(each -> meant.test(each) && removed.add(each));
            return;
        }
        for (Object each : queue) {
            if (meant.test(each) && queue.remove(each)) {
                removed.add(each);
                if (removed.size() >= MOST_OF_A_LOOK) {
                    return;
                }
            }
        }
    }

    /// @param capacity most that it must hold
    /// @param standing tells whether the newest are to be served first, under [PoolOptions.Order#ADAPTIVE]
    static WaitingCalls of(PoolOptions options, int capacity, StandingQueue standing) {
        if (options.order() != PoolOptions.Order.FIFO) {
            boolean always = options.order() == PoolOptions.Order.LIFO;
            return new Stack(new LinkedBlockingDeque<>(capacity), always, standing);
        }
        return switch (options.structure()) {
            case ARRAY -> new Line(new ArrayBlockingQueue<>(capacity));
            case LINKED -> new Line(new LinkedBlockingQueue<>(capacity));
            case MPMC -> new LockFree(new MpmcVarHandleArrayQueue<>(Math.max(2, capacity)));
        };
    }

    /// First come, first served.
    record Line(BlockingQueue<Object> queue) implements WaitingCalls {

        @Override
        public boolean offer(Object call) {
            return queue.offer(call);
        }

        @Override
        public @Nullable Object poll() {
            return queue.poll();
        }

        @Override
        public @Nullable Object await(long nanos) throws InterruptedException {
            return nanos == Long.MAX_VALUE ? queue.take() : queue.poll(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public @Nullable Object peekOldest() {
            return queue.peek();
        }

        @Override
        public @Nullable Object pollOldest() {
            return queue.poll();
        }

        @Override
        public void removeIf(Predicate<Object> meant, List<Object> removed) {
            moveIf(queue, meant, removed);
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    /// The newest first: always, or while the queue is standing. (`LinkedBlockingDeque` as the queue of a
    /// `ThreadPoolExecutor` is FIFO, whatever its name suggests: `offer` puts at the end that `take` does not
    /// take from.)
    record Stack(LinkedBlockingDeque<Object> deque, boolean always, StandingQueue standing) implements WaitingCalls {

        @Override
        public boolean offer(Object call) {
            return deque.offerLast(call);
        }

        @Override
        public @Nullable Object poll() {
            return newestFirst() ? deque.pollLast() : deque.pollFirst();
        }

        @Override
        public @Nullable Object await(long nanos) throws InterruptedException {
            // Awaited after a poll that found nothing: there is no order to keep.
            return nanos == Long.MAX_VALUE ? deque.takeLast() : deque.pollLast(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public @Nullable Object peekOldest() {
            return deque.peekFirst();
        }

        @Override
        public @Nullable Object pollOldest() {
            return deque.pollFirst();
        }

        @Override
        public void removeIf(Predicate<Object> meant, List<Object> removed) {
            moveIf(deque, meant, removed);
        }

        @Override
        public boolean isEmpty() {
            return deque.isEmpty();
        }

        private boolean newestFirst() {
            return always || standing.isStanding();
        }
    }

    /// First come, first served, without a lock. The permits of the semaphore are the calls in the queue, so
    /// that a worker that has one finds a call, if need be after a moment: a producer may be between its two
    /// steps, or another consumer between its own.
    record LockFree(Queue<Object> queue, Semaphore calls) implements WaitingCalls {

        LockFree(Queue<Object> queue) {
            this(queue, new Semaphore(0));
        }

        @Override
        public boolean offer(Object call) {
            if (!queue.offer(call)) {
                return false;
            }
            calls.release();
            return true;
        }

        @Override
        public @Nullable Object poll() {
            return calls.tryAcquire() ? next() : null;
        }

        @Override
        public @Nullable Object await(long nanos) throws InterruptedException {
            if (nanos == Long.MAX_VALUE) {
                calls.acquire();
                return next();
            }
            return calls.tryAcquire(nanos, TimeUnit.NANOSECONDS) ? next() : null;
        }

        @Override
        public @Nullable Object peekOldest() {
            return queue.peek();
        }

        @Override
        public @Nullable Object pollOldest() {
            return poll();
        }

        @Override
        public void removeIf(Predicate<Object> meant, List<Object> removed) {
            for (Object oldest = queue.peek(); oldest != null && meant.test(oldest); oldest = queue.peek()) {
                Object taken = poll(); // perhaps another one, if a worker was faster
                if (taken == null) {
                    return;
                }
                removed.add(taken);
            }
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }

        private Object next() {
            Object next = queue.poll();
            while (next == null) {
                Thread.onSpinWait();
                next = queue.poll();
            }
            return next;
        }
    }
}
