package kvant.lsm.bytes;

import java.util.concurrent.atomic.AtomicInteger;

/// A reference count. It starts at one, for its creator; at zero no reference can be acquired any more. Any thread
/// may call it.
public final class References {

    private final AtomicInteger count = new AtomicInteger(1);

    /// @return false when the count has reached zero
    public boolean acquire() {
        while (true) {
            int before = count.get();
            if (before == 0) {
                return false;
            }
            if (count.compareAndSet(before, before + 1)) {
                return true;
            }
        }
    }

    /// @return whether this was the last one
    public boolean release() {
        int left = count.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("released more often than acquired");
        }
        return left == 0;
    }
}
