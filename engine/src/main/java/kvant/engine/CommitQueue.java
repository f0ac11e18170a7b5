package kvant.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The queue of writes for the next commit group: many threads offer, the commit thread takes all at once.
///
/// A Treiber stack (R. K. Treiber, 1986) linked through the writes themselves, so that an offer is one
/// compare-and-set and allocates nothing; the taker detaches the whole stack with one more and reverses it, which
/// restores the order of arrival. Taking all at once is what a group commit needs, and it rules out the stack's ABA
/// problem.
///
/// Bounded by bytes: an offer beyond the bound is refused and never blocks. One write always fits into an empty
/// queue, regardless of its size.
final class CommitQueue {

    /// Bytes charged for a waiting write beyond its batch: the objects that carry it.
    private static final int WRITE_OVERHEAD_BYTES = 256;

    /// A terabyte of writes fits below; sixteen million of them fit above.
    private static final int COUNT_SHIFT = 40;

    private static final long ONE_WRITE = 1L << COUNT_SHIFT;

    /// Marks a closed queue; never taken, never linked.
    private static final Write CLOSED =
            new Write(WriteBatch.of(new Mutation.Delete(new byte[1])), new CompletionSink() {
                @Override
                public void completed(Write write) {}

                @Override
                public void wake() {}
            });

    private static final VarHandle HEAD;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(CommitQueue.class, "head", Write.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Outcome of an offer.
    enum Offer {
        ACCEPTED,
        FULL,
        CLOSED
    }

    // Constant.
    private final long maxBytes;

    // Atomic.
    @SuppressWarnings("unused") // through HEAD
    private volatile @Nullable Write head;

    private final AtomicLong pending = new AtomicLong(); // bytes, and above them the number of writes

    // Written by the taker, read by every offer.
    private volatile @Nullable Thread sleeper;
    private volatile long awaited = 1; // pending writes for which the sleeper is woken

    /// @param maxBytes bound on the waiting writes and the group being committed, in bytes of [WriteBatch#bytes] plus
    ///     overhead
    CommitQueue(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    Offer offer(Write write) {
        long charge = chargeOf(write);
        long before = bytesOf(pending.getAndAdd(charge));
        if (before > 0 && before + bytesOf(charge) > maxBytes) {
            pending.addAndGet(-charge);
            return Offer.FULL;
        }
        Write previous;
        do {
            previous = head;
            if (previous == CLOSED) {
                pending.addAndGet(-charge);
                return Offer.CLOSED;
            }
            if (previous == null) { // the oldest of what will be taken together: its wait is measured
                write.queuedNanos = System.nanoTime();
            }
            write.next = previous;
        } while (!HEAD.compareAndSet(this, previous, write));
        Thread asleep = sleeper;
        if (asleep != null && pendingWrites() >= awaited) {
            LockSupport.unpark(asleep);
        }
        return Offer.ACCEPTED;
    }

    /// Detaches all waiting writes, oldest first, linked through [Write#next]. Waits for the first write while there
    /// is none, and then for the rest of a group. Called only by the commit thread, while it has no write.
    ///
    /// @param timeoutNanos longest wait for the first
    /// @param group number of writes that is enough for a commit
    /// @param gatherNanos longest wait for the rest
    /// @return null when no write came, or when the queue is closed and empty
    @Nullable
    Write takeAll(long timeoutNanos, long group, long gatherNanos) {
        if (timeoutNanos > 0 && head == null) {
            sleep(1, timeoutNanos);
        }
        if (gatherNanos > 0 && head != null) {
            sleep(group, gatherNanos);
        }
        Write taken = detach();
        return taken == null ? null : reverse(taken);
    }

    /// Sleeps until this many writes wait, the time is up, or the thread is unparked for another reason.
    private void sleep(long writes, long nanos) {
        awaited = writes;
        sleeper = Thread.currentThread();
        // Checked after `sleeper` is visible: an offer either shows here or unparks.
        Write newest = head; // a write counts as pending before it is linked
        if (newest == null || newest != CLOSED && pendingWrites() < writes) {
            LockSupport.parkNanos(this, nanos);
        }
        sleeper = null;
    }

    /// Tells that a taken write has been settled and no longer counts against the bound.
    void release(Write write) {
        pending.addAndGet(-chargeOf(write));
    }

    /// Refuses further offers. Writes accepted before remain in the queue: keep calling [#takeAll] until it returns
    /// null.
    ///
    /// @return the waiting writes, oldest first
    @Nullable
    Write close() {
        Write waiting;
        do {
            waiting = head;
            if (waiting == CLOSED) {
                return null;
            }
        } while (!HEAD.compareAndSet(this, waiting, CLOSED));
        return waiting == null ? null : reverse(waiting);
    }

    long pendingBytes() {
        return bytesOf(pending.get());
    }

    long pendingWrites() {
        return pending.get() >>> COUNT_SHIFT;
    }

    private @Nullable Write detach() {
        while (true) {
            Write all = head;
            if (all == null || all == CLOSED) {
                return null;
            }
            if (HEAD.compareAndSet(this, all, null)) {
                return all;
            }
        }
    }

    private static Write reverse(Write newest) {
        Write oldestSoFar = newest;
        Write rest = newest.next;
        newest.next = null;
        while (rest != null) {
            Write following = rest.next;
            rest.next = oldestSoFar;
            oldestSoFar = rest;
            rest = following;
        }
        return oldestSoFar;
    }

    /// The increment of the counter for a write: its bytes, and one in the upper bits.
    private static long chargeOf(Write write) {
        return ONE_WRITE + write.batch().bytes() + WRITE_OVERHEAD_BYTES;
    }

    private static long bytesOf(long pending) {
        return pending & ONE_WRITE - 1;
    }
}
