package kvant.server.admit;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The slow holders of one budget, and which of them go when a claim does not fit: of the large ones the
/// largest; where there are none, the small one that has been slow for the longest.
///
/// Any thread may call. The lock is taken for those who are slow and for claims that do not fit, never
/// for the others.
final class SlowHolders {

    /// How many large ones are compared for each that goes.
    private static final int MOST_COMPARED = 256;

    /// How many go for one claim.
    private static final int MOST_SHED = 64;

    /// What is leaving is still there: the share of the budget that it may take beyond it.
    private static final int LEAVING_SHARE = 2;

    // Constant.
    private final ReentrantLock lock = new ReentrantLock();
    private final long maxLeavingBytes;
    private final long smallBytes;

    // Guarded by the lock; in the order in which they became slow.
    private final Set<SlowHolder> large = new LinkedHashSet<>();
    private final Set<SlowHolder> small = new LinkedHashSet<>();

    // Written under the lock.
    private volatile long leavingBytes;
    private volatile long shed;

    SlowHolders(long maxBytes, long smallBytes) {
        this.maxLeavingBytes = maxBytes / LEAVING_SHARE;
        this.smallBytes = smallBytes;
    }

    /// What those who were told to go still hold.
    long leavingBytes() {
        return leavingBytes;
    }

    /// How many may be told to go.
    int candidates() {
        lock.lock();
        try {
            return large.size() + small.size();
        } finally {
            lock.unlock();
        }
    }

    /// How many were told to go.
    long shed() {
        return shed;
    }

    void add(SlowHolder holder, long bytes) {
        lock.lock();
        try {
            if (holder.leavingBytes > 0) {
                return;
            }
            boolean isLarge = bytes > smallBytes;
            if (holder.candidate && holder.large != isLarge) {
                take(holder);
            }
            holder.heldBytes = bytes;
            holder.large = isLarge;
            holder.candidate = true;
            (isLarge ? large : small).add(holder);
        } finally {
            lock.unlock();
        }
    }

    void remove(SlowHolder holder) {
        lock.lock();
        try {
            take(holder);
        } finally {
            lock.unlock();
        }
    }

    void gone(SlowHolder holder) {
        lock.lock();
        try {
            take(holder);
            leavingBytes -= holder.leavingBytes;
            holder.leavingBytes = 0;
        } finally {
            lock.unlock();
        }
    }

    boolean isLeaving(SlowHolder holder) {
        lock.lock();
        try {
            return holder.leavingBytes > 0;
        } finally {
            lock.unlock();
        }
    }

    /// Tells holders to go until they hold so many bytes together.
    ///
    /// @return false when there are not enough of them; then none goes
    boolean shed(long bytes) {
        List<SlowHolder> leaving = choose(bytes);
        for (SlowHolder holder : leaving) {
            holder.leave(); // outside the lock: it belongs to others
        }
        return !leaving.isEmpty();
    }

    private List<SlowHolder> choose(long bytes) {
        List<SlowHolder> chosen = new ArrayList<>();
        lock.lock();
        try {
            long found = 0;
            while (found < bytes && chosen.size() < MOST_SHED) {
                SlowHolder next = next();
                if (next == null) {
                    break;
                }
                take(next);
                chosen.add(next);
                found += next.heldBytes;
            }
            if (found < bytes || leavingBytes > 0 && leavingBytes + found > maxLeavingBytes) {
                putBack(chosen);
                return List.of();
            }
            for (SlowHolder holder : chosen) {
                holder.leavingBytes = holder.heldBytes;
            }
            leavingBytes += found;
            shed += chosen.size();
            return chosen;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable SlowHolder next() {
        SlowHolder largest = null;
        Iterator<SlowHolder> each = large.iterator();
        for (int i = 0; i < MOST_COMPARED && each.hasNext(); i++) {
            SlowHolder holder = each.next();
            if (largest == null || holder.heldBytes > largest.heldBytes) {
                largest = holder;
            }
        }
        if (largest != null || small.isEmpty()) {
            return largest;
        }
        return small.iterator().next();
    }

    private void take(SlowHolder holder) {
        if (holder.candidate) {
            holder.candidate = false;
            (holder.large ? large : small).remove(holder);
        }
    }

    private void putBack(List<SlowHolder> holders) {
        for (SlowHolder holder : holders) {
            holder.candidate = true;
            (holder.large ? large : small).add(holder);
        }
    }
}
