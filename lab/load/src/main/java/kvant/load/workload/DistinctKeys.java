package kvant.load.workload;

import java.util.BitSet;

/// Which of the existing keys were asked for: one bit each. Where there are too many keys for that it says so instead
/// of guessing.
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

    /// How many, or -1 where it was not counted.
    public long count() {
        return keys <= MOST_COUNTED ? seen.cardinality() : -1;
    }
}
