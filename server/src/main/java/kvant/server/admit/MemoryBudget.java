package kvant.server.admit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// A bound on the memory that bytes of one kind may take, all connections together: unread input, request bodies, or
/// values on their way out. The rules are the same for every kind:
///
/// - Held bytes are claimed, not announced ones; a claim grows with the bytes held.
/// - A quarter is kept for small claimants, so that large ones cannot shut them out.
/// - One claimant always fits into an empty budget, regardless of its size, so that a small heap slows large values
///   down instead of shutting them out.
/// - A claim that does not fit evicts slow holders ([MemoryReservation]): of the large ones the largest first; where
///   there are none, the small one that has been slow the longest. Their bytes count as free from then on, so that no
///   claim waits for them. Where no slow holder is left, the claim is refused.
///
///     |<------------------------ maxBytes ------------------------>|
///     |  any claimant                          | small ones alone  |
///
/// Any thread may call. A claim that fits costs one atomic addition; the lock is taken for slow holders and for
/// claims that do not fit.
public final class MemoryBudget {

    /// Largest total of a small claimant, unless the budget is smaller than a few of them.
    public static final int SMALL_BYTES = 64 << 10;

    /// The share of the budget that is kept for small claimants.
    private static final int RESERVE_SHARE = 4;

    /// Least number of small claimants that the reserve has room for.
    private static final int LEAST_SMALL = 4;

    /// Most holders evicted for one claim.
    private static final int MOST_EVICTED = 64;

    /// Divisor: evicted bytes still exist for a while, and may exceed the budget by this part of it.
    private static final int EVICTED_SHARE = 2;

    // Constant.
    private final long maxBytes;
    private final long maxLargeBytes;
    private final long smallBytes;
    private final long maxEvictedBytes;

    // Atomic.
    private final AtomicLong claimedBytes = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    // Guarded by this: the first is evicted first.
    private final TreeSet<MemoryReservation> slow = new TreeSet<>(
            Comparator.comparingLong(this::largeBytes).reversed().thenComparingLong(each -> each.slowNumber));
    private long lastSlow;

    // Written under the lock of this.
    private volatile long evictedBytes;
    private volatile long evicted;

    public MemoryBudget(long maxBytes) {
        long reserveBytes = maxBytes / RESERVE_SHARE;
        this.maxBytes = maxBytes;
        this.maxLargeBytes = maxBytes - reserveBytes;
        this.smallBytes = Math.min(SMALL_BYTES, reserveBytes / LEAST_SMALL);
        this.maxEvictedBytes = maxBytes / EVICTED_SHARE;
    }

    /// Claims more memory for a claimant that may already hold some.
    ///
    /// @param held bytes that the same claimant holds
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

    /// All claimed bytes, including those of evicted holders.
    public long claimedBytes() {
        return claimedBytes.get();
    }

    /// The number of refused claims.
    public long refused() {
        return refused.sum();
    }

    /// The number of slow holders that have not been evicted.
    public synchronized int slowHolders() {
        return slow.size();
    }

    /// The number of evicted slow holders.
    public long shed() {
        return evicted;
    }

    void measure(MetricSink sink, String kind) {
        sink.gauge(
                "kvant_client_memory_bytes", "Memory that clients make the node hold.", claimedBytes(), "kind", kind);
        String tooMuch = "Claims on that memory that did not fit.";
        sink.counter("kvant_client_memory_refused_total", tooMuch, refused(), "kind", kind);
        String first = "Clients that hold some of that memory and do not get on: the first to go.";
        sink.gauge("kvant_client_memory_slow_clients", first, slowHolders(), "kind", kind);
        String gone = "Slow clients that had to go because another needed their memory.";
        sink.counter("kvant_client_memory_shed_total", gone, shed(), "kind", kind);
    }

    // --- Slow holders ---

    /// Marks a holder of this many bytes as slow, or with 0 bytes as not slow.
    synchronized void slow(MemoryReservation holder, long bytes) {
        if (holder.evictedBytes > 0) {
            return;
        }
        if (!slow.remove(holder)) {
            holder.slowNumber = ++lastSlow;
        }
        holder.slowBytes = bytes; // it is compared by that, and so not while it is in the set
        if (bytes > 0) {
            slow.add(holder);
        }
    }

    synchronized void gone(MemoryReservation holder) {
        slow.remove(holder);
        evictedBytes -= holder.evictedBytes;
        holder.evictedBytes = 0;
    }

    /// @param boundBytes of all claims; enough for the claimant alone
    private boolean makeRoom(long boundBytes) {
        long overBytes = claimedBytes.get() - evictedBytes - boundBytes;
        if (overBytes <= 0) {
            return true;
        }
        List<MemoryReservation> chosen = choose(overBytes);
        chosen.forEach(each -> each.onEvicted.run()); // outside the lock: it runs foreign code
        return !chosen.isEmpty();
    }

    /// Chooses the holders to evict to free this many bytes; none where they do not suffice.
    private synchronized List<MemoryReservation> choose(long bytes) {
        List<MemoryReservation> chosen = new ArrayList<>();
        long found = 0;
        Iterator<MemoryReservation> each = slow.iterator();
        while (found < bytes && chosen.size() < MOST_EVICTED && each.hasNext()) {
            MemoryReservation next = each.next();
            chosen.add(next);
            found += next.slowBytes;
        }
        if (found < bytes || evictedBytes > 0 && evictedBytes + found > maxEvictedBytes) {
            return List.of();
        }
        for (MemoryReservation holder : chosen) {
            slow.remove(holder);
            holder.evictedBytes = holder.slowBytes;
        }
        evictedBytes += found;
        evicted += chosen.size();
        return chosen;
    }

    private long largeBytes(MemoryReservation holder) {
        return holder.slowBytes > smallBytes ? holder.slowBytes : 0;
    }
}
