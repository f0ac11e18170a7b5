package kvant.load.workload;

import java.util.BitSet;

/// The set of existing keys that were requested, one bit each. With too many keys for that, the count is unknown
/// instead of estimated.
///
/// Owned by one loop while it runs; merged afterwards.
public final class DistinctKeys {

    /// 16 MiB of bits per thread.
    private static final long MOST_COUNTED = 1L << 27;

    private final long keys;
    private final BitSet seen;

    public DistinctKeys(long keys) {
        this.keys = keys;
        this.seen = keys <= MOST_COUNTED ? new BitSet((int) keys) : new BitSet(0);
    }

    public void add(long key) {
        if (key < keys && keys <= MOST_COUNTED) {
            seen.set((int) key);
        }
    }

    public void merge(DistinctKeys other) {
        seen.or(other.seen);
    }

    /// The number of keys, or -1 if not counted.
    public long count() {
        return keys <= MOST_COUNTED ? seen.cardinality() : -1;
    }
}
