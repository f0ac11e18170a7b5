package kvant.server.admit;

import java.util.concurrent.atomic.AtomicLong;

/// A bound on the memory that bytes of one kind may take, all connections together: request bodies, or
/// values on their way out.
///
/// One claimant always fits into an empty budget, whatever it needs, so that a small heap slows large
/// values down instead of shutting them out. Any thread may call.
public final class MemoryBudget {

    // Constant.
    private final long maxBytes;

    // Atomic.
    private final AtomicLong claimedBytes = new AtomicLong();

    public MemoryBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Claims more for a claimant that has claimed some already.
    ///
    /// @param held what the same claimant holds
    public boolean claim(long bytes, long held) {
        long before = claimedBytes.getAndAdd(bytes);
        if (before > held && before + bytes > maxBytes) {
            claimedBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    public void release(long bytes) {
        if (bytes != 0) {
            claimedBytes.addAndGet(-bytes);
        }
    }

    public long claimedBytes() {
        return claimedBytes.get();
    }
}
