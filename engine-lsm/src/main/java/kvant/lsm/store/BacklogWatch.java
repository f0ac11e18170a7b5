package kvant.lsm.store;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Shows the commit thread what waits behind it, and wakes it when that changes, without a lock.
public final class BacklogWatch {

    // Written under the store's lock, read by anyone.
    private volatile Backlog backlog = Backlog.NONE;

    // Written by the commit thread, read by anyone.
    private volatile @Nullable Thread watcher;

    // Written by whoever closes the engine.
    private volatile boolean draining;

    public Backlog now() {
        return backlog;
    }

    void publish(Backlog next) {
        backlog = next;
        wake();
    }

    /// Something changed that a waiting commit thread may want to know.
    void wake() {
        Thread thread = watcher;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /// From here on the calling thread is woken by changes; it looks at the backlog afterwards, so that it
    /// misses none.
    public void begin() {
        watcher = Thread.currentThread();
    }

    /// Waits for a change since [#begin] or since the last wait, at most for this long. May return for no reason.
    public void await(long timeoutNanos) {
        LockSupport.parkNanos(this, timeoutNanos);
    }

    public void end() {
        watcher = null;
    }

    /// Whether the last writes are being taken, which are not slowed down any more.
    public boolean isDraining() {
        return draining;
    }

    public void drain() {
        draining = true;
        wake();
    }
}
