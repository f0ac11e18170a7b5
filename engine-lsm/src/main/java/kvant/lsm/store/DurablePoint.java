package kvant.lsm.store;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The sequence number up to which writes are both durable and visible, and may be reported to followers of changes.
/// Under a durability that acknowledges before a sync it lies behind the newest visible one.
///
/// The commit thread moves it, at the price of a volatile write; any thread may read it; one thread at a time may
/// wait.
public final class DurablePoint {

    // Written by the commit thread.
    private volatile long sequence;

    // Written once.
    private volatile boolean closed;

    // Written by the waiting thread, cleared by the waking one.
    private volatile @Nullable Thread waiter;

    DurablePoint(long sequence) {
        this.sequence = sequence;
    }

    /// The sequence number of the last such write.
    public long sequence() {
        return sequence;
    }

    /// Commit thread: all up to this sequence number is durable and visible.
    public void reached(long newest) {
        if (newest != sequence) {
            sequence = newest;
            wake();
        }
    }

    /// Ends all waits: nothing more becomes durable.
    void close() {
        closed = true;
        wake();
    }

    /// Waits until it lies behind a sequence number, at most for so long; it may return early.
    public void await(long beyond, long nanos) throws InterruptedException {
        waiter = Thread.currentThread();
        // Check only after the waiter is visible: a thread that moves or closes it from now on wakes it.
        if (sequence <= beyond && !closed) {
            LockSupport.parkNanos(this, nanos);
        }
        waiter = null;
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    void wake() {
        Thread waiting = waiter;
        if (waiting != null) {
            waiter = null;
            LockSupport.unpark(waiting);
        }
    }
}
