package kvant.server.admit;

import org.jspecify.annotations.Nullable;

/// What one connection holds of a budget, and whether it is slow about it.
///
/// Owned by the connection's event loop.
public final class Claim {

    // Constant.
    private final MemoryBudget budget;
    private final Runnable leave;

    // Owned by the event loop.
    private long bytes;
    private @Nullable SlowHolder slow; // most connections never need one

    /// @param leave see [SlowHolder]
    public Claim(MemoryBudget budget, Runnable leave) {
        this.budget = budget;
        this.leave = leave;
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
        budget.release(bytes);
        handOver();
    }

    /// All of it goes over to the caller, who releases it.
    public long handOver() {
        long handed = bytes;
        bytes = 0;
        if (slow != null) {
            slow.gone();
        }
        return handed;
    }

    /// Who holds it does not get on: it goes first where another needs memory.
    public void slow() {
        if (bytes == 0) {
            return;
        }
        if (slow == null) {
            slow = new SlowHolder(budget, leave);
        }
        slow.slow(bytes);
    }

    /// Tells which of the two it is.
    public void slowIf(boolean isSlow) {
        if (isSlow) {
            slow();
        } else {
            getsOn();
        }
    }

    /// Who holds it gets on.
    public void getsOn() {
        if (slow != null) {
            slow.getsOn();
        }
    }

    /// Whether another has been given this memory: it is to be released now.
    public boolean isLeaving() {
        return slow != null && slow.isLeaving();
    }
}
