package kvant.server.execute;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import kvant.server.admit.CoDel;
import org.jspecify.annotations.Nullable;

/// What calls wait in for a worker. Any thread may put and take.
///
/// Holds calls and nudges: what a pool puts in to wake a worker.
interface WorkQueue {

    /// Puts one in.
    ///
    /// @return false when there is no room
    boolean offer(Waiting call);

    /// Takes the next one, without waiting; null when there is none.
    @Nullable
    Waiting poll();

    /// Takes the next one, waiting for it; null when the time has passed.
    @Nullable
    Waiting await(long nanos) throws InterruptedException;

    /// The one that has waited longest, left where it is; or null.
    @Nullable
    Waiting peekOldest();

    /// Takes the one that has waited longest, without waiting; or null.
    @Nullable
    Waiting pollOldest();

    boolean isEmpty();

    /// Moves those that are meant to the list; not all of them where there are many. Each is moved to
    /// the list, or taken by a worker, and never both.
    void removeIf(Predicate<Waiting> meant, List<Waiting> removed);

    /// Most that one look takes out of a linked structure, each with a search of its own.
    int MOST_OF_A_LOOK = 1000;

    /// `Collection#removeIf` would not do for linked structures: they ask the predicate first and look later whether
    /// somebody else has taken the element meanwhile. An array has its lock all the time.
    private static void moveIf(Queue<Waiting> queue, Predicate<Waiting> meant, List<Waiting> removed) {
        if (queue instanceof ArrayBlockingQueue) {
            queue.removeIf(each -> meant.test(each) && removed.add(each));
            return;
        }
        for (Waiting each : queue) {
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
    static WorkQueue of(PoolOptions options, int capacity, CoDel standing) {
        if (options.order() == PoolOptions.Order.FIFO) {
            // An array has the length that it may ever need, so that a queue without a bound is linked.
            return new Queued(
                    options.queue() == PoolOptions.UNBOUNDED
                            ? new LinkedBlockingQueue<>(capacity)
                            : new ArrayBlockingQueue<>(capacity),
                    null,
                    false,
                    standing);
        }
        LinkedBlockingDeque<Waiting> deque = new LinkedBlockingDeque<>(capacity);
        return new Queued(deque, deque, options.order() == PoolOptions.Order.LIFO, standing);
    }

    /// First come, first served, or the newest first: always, or while the queue is standing.
    /// (`LinkedBlockingDeque` as the queue of a `ThreadPoolExecutor` is FIFO, whatever its name suggests:
    /// `offer` puts at the end that `take` does not take from.)
    ///
    /// @param stack the same queue where the newest may come first
    record Queued(
            BlockingQueue<Waiting> queue, @Nullable LinkedBlockingDeque<Waiting> stack, boolean always, CoDel standing)
            implements WorkQueue {

        @Override
        public boolean offer(Waiting call) {
            return queue.offer(call);
        }

        @Override
        public @Nullable Waiting poll() {
            return stack != null && (always || standing.isStanding()) ? stack.pollLast() : queue.poll();
        }

        @Override
        public @Nullable Waiting await(long nanos) throws InterruptedException {
            // Awaited after a poll that found nothing: there is no order to keep.
            return nanos == Long.MAX_VALUE ? queue.take() : queue.poll(nanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public @Nullable Waiting peekOldest() {
            return queue.peek();
        }

        @Override
        public @Nullable Waiting pollOldest() {
            return queue.poll();
        }

        @Override
        public void removeIf(Predicate<Waiting> meant, List<Waiting> removed) {
            moveIf(queue, meant, removed);
        }

        @Override
        public boolean isEmpty() {
            return queue.isEmpty();
        }
    }

    /// What may wait in the queue of a pool: a call, or a nudge.
    sealed interface Waiting permits RunnableCall, Waiting.Nudge {

        /// Makes the worker that takes it look at the overflow of its pool and at whether that is closed. There is one
        /// constant, because all nudges mean the same.
        enum Nudge implements Waiting {
            NUDGE
        }
    }
}
