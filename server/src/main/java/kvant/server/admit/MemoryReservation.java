package kvant.server.admit;

/// What one connection holds of a budget, and whether its client is slow about it: a slow one is evicted first when
/// another needs the memory.
///
///     PROGRESSES --slow--> SLOW --a claim does not fit--> EVICTED
///      ^---progresses-------/                                |
///      ^---gone----------------------------------------------/
///
/// Owned by the connection's event loop, which says from time to time whether it is slow; only [#evict] is called by
/// any thread.
public final class MemoryReservation {

    // Constant.
    private final MemoryBudget budget;
    private final Runnable onEvicted;

    // Owned by the event loop.
    private long bytes;
    private boolean told;

    // Guarded by the lock of the budget.
    long slowBytes;
    long slowNumber;
    long evictedBytes;

    /// @param onEvicted called once for each eviction, by any thread: has the owner release what it holds, soon
    public MemoryReservation(MemoryBudget budget, Runnable onEvicted) {
        this.budget = budget;
        this.onEvicted = onEvicted;
    }

    public long bytes() {
        return bytes;
    }

    /// Claims more, or gives some back, so that it is for so many bytes.
    ///
    /// @return false where there is no memory for more; then it is what it was
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

    /// Lets go of all of it.
    public void release() {
        budget.release(handOver());
    }

    /// All of it goes over to the caller, who releases it.
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
        if (slow && heldBytes > 0) {
            told = true;
            budget.slow(this, heldBytes);
        } else if (told) {
            budget.progresses(this);
        }
    }

    /// Whether another was given this memory: it is to be released now. [#evict] has to ask, because it may come too
    /// late.
    public boolean isEvicted() {
        return told && budget.isEvicted(this);
    }

    /// It holds nothing any more.
    public void gone() {
        if (told) {
            told = false;
            budget.gone(this);
        }
    }

    void evict() {
        onEvicted.run();
    }
}
