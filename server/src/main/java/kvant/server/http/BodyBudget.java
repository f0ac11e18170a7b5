package kvant.server.http;

import java.util.concurrent.atomic.AtomicLong;

/// The memory that request bodies may take, all connections together.
///
/// One body always fits into an empty budget, however long it is, so that a small heap slows large bodies
/// down instead of shutting them out.
final class BodyBudget {

    // Constant.
    private final long maxBytes;

    // Atomic.
    private final AtomicLong claimedBytes = new AtomicLong();

    BodyBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Claims more for a body that has claimed some already.
    ///
    /// @param held what the same body holds
    boolean claim(long bytes, long held) {
        long before = claimedBytes.getAndAdd(bytes);
        if (before > held && before + bytes > maxBytes) {
            claimedBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void release(long bytes) {
        claimedBytes.addAndGet(-bytes);
    }

    long claimedBytes() {
        return claimedBytes.get();
    }
}
