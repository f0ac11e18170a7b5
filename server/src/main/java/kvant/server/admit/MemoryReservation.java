package kvant.server.admit;

/// One connection's part of a budget, with its client's progress: a slow client is evicted first when another needs
/// the memory.
///
///     PROGRESSES --slow--> SLOW --a claim does not fit--> EVICTED
///      ^---progresses-------/                                |
///      ^---gone----------------------------------------------/
///
/// Owned by the connection's event loop, which reports from time to time whether the client is slow; only the
/// callback of an eviction comes from any thread.
public final class MemoryReservation {

    // Constant.
    private final MemoryBudget budget;
    final Runnable onEvicted; // called by any thread

    // Owned by the event loop.
    private long bytes;
    private boolean told;

    // Guarded by the lock of the budget.
    long slowBytes;
    long slowNumber;
    long evictedBytes;

    /// @param onEvicted called once for each eviction, by any thread: must have the owner release its bytes soon
    public MemoryReservation(MemoryBudget budget, Runnable onEvicted) {
        this.budget = budget;
        this.onEvicted = onEvicted;
    }

    public long bytes() {
        return bytes;
    }

    /// Changes the claim to this many bytes.
    ///
    /// @return false where there is no memory for more; then the claim is unchanged
    public boolean resize(long newBytes) {
        long more = newBytes - bytes;
        if (more > 0 && !budget.claim(more, bytes)) {
            return false;
        }
        if (more < 0) {
            budget.release(-more);
        }
        bytes = newBytes;
        return true;
    }

    /// Releases the whole claim.
    public void release() {
        budget.release(handOver());
    }

    /// Hands the whole claim over to the caller, who releases it.
    public long handOver() {
        long handed = bytes;
        bytes = 0;
        gone();
        return handed;
    }

    /// Tells whether the client is slow.
    public void slowIf(boolean slow) {
        slowIf(slow, bytes);
    }

    /// The same where requests of the connection claimed the memory themselves. One without memory is never slow, and
    /// one that was evicted goes even if it progresses again.
    public void slowIf(boolean slow, long heldBytes) {
        told |= slow && heldBytes > 0;
        if (told) {
            budget.slow(this, slow ? heldBytes : 0);
        }
    }

    /// Whether this memory was given to another claimant and must be released now. The callback of an eviction has
    /// to ask, because it may come too late.
    public boolean isEvicted() {
        synchronized (budget) {
            return evictedBytes > 0;
        }
    }

    /// Reports that it holds nothing any more.
    public void gone() {
        if (told) {
            told = false;
            budget.gone(this);
        }
    }
}
