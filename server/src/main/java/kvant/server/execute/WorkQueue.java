package kvant.server.execute;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import kvant.server.admit.CoDel;
import org.jspecify.annotations.Nullable;

/// A queue of calls that wait for a worker. Any thread may put and take.
///
/// It holds calls and nudges; a pool puts in a nudge to wake a worker.
///
/// First in, first out, or last in, first out: always, or while the queue is standing. (`LinkedBlockingDeque`
/// as the queue of a `ThreadPoolExecutor` is FIFO, despite its name: `offer` puts at the end that `take` does
/// not take from.)
class WorkQueue {

    /// Most entries that one check removes from a linked structure, each with a search of its own.
    private static final int MOST_OF_A_LOOK = 1000;

    private final BlockingQueue<Waiting> queue;
    private final @Nullable LinkedBlockingDeque<Waiting> stack; // the same where the newest may come first
    private final boolean always;
    private final CoDel standing;

    /// @param capacity most that it must hold
    /// @param standing tells whether the newest are to be served first, under [PoolOptions.Order#ADAPTIVE]
    WorkQueue(PoolOptions options, int capacity, CoDel standing) {
        this.stack = options.order() == PoolOptions.Order.FIFO ? null : new LinkedBlockingDeque<>(capacity);
        this.always = options.order() == PoolOptions.Order.LIFO;
        this.standing = standing;
        if (stack != null) {
            this.queue = stack;
        } else if (options.queue() == PoolOptions.UNBOUNDED) { // an array has the length that it may ever need
            this.queue = new LinkedBlockingQueue<>(capacity);
        } else {
            this.queue = new ArrayBlockingQueue<>(capacity);
        }
    }

    /// Puts one in.
    ///
    /// @return false when there is no room
    boolean offer(Waiting call) {
        return queue.offer(call);
    }

    /// Takes the next one, without waiting; null when there is none.
    @Nullable
    Waiting poll() {
        return stack != null && (always || standing.isStanding()) ? stack.pollLast() : queue.poll();
    }

    /// Takes the next one, waiting for it; null when the time has passed. After a poll that found nothing: there is
    /// no order to keep.
    @Nullable
    Waiting await(long nanos) throws InterruptedException {
        return nanos == Long.MAX_VALUE ? queue.take() : queue.poll(nanos, TimeUnit.NANOSECONDS);
    }

    /// The entry that has waited the longest, without removing it; or null.
    @Nullable
    Waiting peekOldest() {
        return queue.peek();
    }

    /// Takes the one that has waited longest, without waiting; or null.
    @Nullable
    Waiting pollOldest() {
        return queue.poll();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /// Moves the matching entries to the list; not all of them where there are many. Each is moved to the list, or
    /// taken by a worker, and never both.
    ///
    /// `Collection#removeIf` does not suit linked structures: they evaluate the predicate first, and check later
    /// whether another thread has taken the element meanwhile. An array holds its lock all the time.
    void removeIf(Predicate<Waiting> meant, List<Waiting> removed) {
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

    /// An entry of a pool's queue: a call, or a nudge.
    sealed interface Waiting permits RunnableCall, Waiting.Nudge {

        /// A nudge makes the worker that takes it check the overflow of its pool, and whether the pool is closed.
        /// There is one constant, because all nudges mean the same.
        enum Nudge implements Waiting {
            NUDGE
        }
    }
}
