package kvant.lsm.store;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The lock under which the store changes, the signal that it has changed, and whether it is being closed. The lock is
/// held for moments, never while a disk is waited for. Readers and the commit thread do not wait for a change here:
/// they look at super versions and at the [BacklogWatch].
public final class Changes {

    // Constant.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final BacklogWatch backlog;

    // Written once, read by anyone.
    private volatile boolean closing;

    Changes(BacklogWatch backlog) {
        this.backlog = backlog;
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    BacklogWatch backlog() {
        return backlog;
    }

    /// Wakes whoever waits for a change; under the lock.
    void signalHeld() {
        changed.signalAll();
    }

    /// Waits for a change; under the lock, which is free meanwhile.
    void awaitHeld() {
        changed.awaitUninterruptibly();
    }

    /// Wakes whoever waits, unless somebody changes the store at this moment: those who missed it look by themselves
    /// soon. Never waits.
    void signalIfFree() {
        if (lock.tryLock()) {
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Wakes whoever waits for a change, the commit thread too.
    public void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        backlog.wake();
    }

    /// Waits for any change, at most for this long.
    public void await(long timeoutNanos) {
        lock.lock();
        try {
            if (!closing) {
                changed.await(timeoutNanos, TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            // Nobody interrupts these threads; a wake-up too many does no harm.
        } finally {
            lock.unlock();
        }
    }

    /// Waits this long before something that failed is tried again, or until the engine is being closed.
    public void pause(long nanos) {
        long endNanos = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closing; left = endNanos - System.nanoTime()) {
            await(left);
        }
    }

    public boolean isClosing() {
        return closing;
    }

    /// @throws InterruptedIOException when the engine is being closed, so that long work has to be given up
    public void refuseClosing() throws InterruptedIOException {
        if (closing) {
            throw new InterruptedIOException("the engine is being closed");
        }
    }

    void beginClose() {
        closing = true;
        signal();
    }
}
