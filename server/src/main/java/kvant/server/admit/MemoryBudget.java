package kvant.server.admit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/// A bound on the memory that bytes of one kind may take, all connections together: unread input, request
/// bodies, or values on their way out. The rules are the same for every kind:
///
/// - What is held is claimed, not what is announced; a claim grows with what is held.
/// - A quarter is kept for small claimants, so that large ones cannot shut them out.
/// - One claimant always fits into an empty budget, whatever it needs, so that a small heap slows large
///   values down instead of shutting them out.
/// - A claim that does not fit makes slow holders go, the largest first ([SlowHolder]). What they hold counts as free
///   from then on, so that nobody waits for them. Where no slow holder is left, the claim is refused.
///
///     |<------------------------ maxBytes ------------------------>|
///     |  any claimant                          | small ones alone  |
///
/// Any thread may call. A claim that fits costs one atomic addition.
public final class MemoryBudget {

    /// Who holds no more than this in all is small, unless the budget is smaller than a few of them.
    public static final int SMALL_BYTES = 64 << 10;

    /// The share of the budget that is kept for small claimants.
    private static final int RESERVE_SHARE = 4;

    /// As many small claimants have room in the reserve at least.
    private static final int LEAST_SMALL = 4;

    // Constant.
    private final long maxBytes;
    private final long maxLargeBytes;
    private final long smallBytes;

    // Atomic.
    private final AtomicLong claimedBytes = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    // Has a lock of its own.
    private final SlowHolders slow;

    public MemoryBudget(long maxBytes) {
        long reserveBytes = maxBytes / RESERVE_SHARE;
        this.maxBytes = maxBytes;
        this.maxLargeBytes = maxBytes - reserveBytes;
        this.smallBytes = Math.min(SMALL_BYTES, reserveBytes / LEAST_SMALL);
        this.slow = new SlowHolders(maxBytes, smallBytes);
    }

    /// Claims more for a claimant that has claimed some already.
    ///
    /// @param held what the same claimant holds
    public boolean claim(long bytes, long held) {
        long boundBytes = held + bytes <= smallBytes ? maxBytes : maxLargeBytes;
        long before = claimedBytes.getAndAdd(bytes);
        if (before + bytes <= boundBytes || before <= held || makeRoom(Math.max(boundBytes, held + bytes))) {
            return true;
        }
        claimedBytes.addAndGet(-bytes);
        refused.increment();
        return false;
    }

    public void release(long bytes) {
        if (bytes != 0) {
            claimedBytes.addAndGet(-bytes);
        }
    }

    /// All that is claimed, by those who have been told to go as well.
    public long claimedBytes() {
        return claimedBytes.get();
    }

    /// How many claims have been refused.
    public long refused() {
        return refused.sum();
    }

    /// How many slow holders there are that have not been told to go.
    public int slowHolders() {
        return slow.candidates();
    }

    /// How many slow holders have been told to go.
    public long shed() {
        return slow.shed();
    }

    SlowHolders slow() {
        return slow;
    }

    /// @param boundBytes of all claims; enough for the claimant alone
    private boolean makeRoom(long boundBytes) {
        long overBytes = claimedBytes.get() - slow.leavingBytes() - boundBytes;
        return overBytes <= 0 || slow.shed(overBytes);
    }
}
