package kvant.engine;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/// Counts values by size, in buckets that are at most an eighth wide: eight of each power of two, as in
/// HdrHistogram with fewer digits. Bounded (4 KiB), and any thread may record while another reads.
///
/// A reader sees each recorded value once, sooner or later; bucket counts and sum need not be of one moment.
public final class Distribution {

    private static final int SUB_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int BUCKETS = (Long.SIZE - SUB_BITS) * SUB_BUCKETS;

    private final double unit;
    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);
    private final LongAdder sum = new LongAdder();

    /// @param unit factor from a recorded value to the unit of the metric: 1e-9 when nanoseconds are recorded and
    ///     seconds are shown
    public Distribution(double unit) {
        this.unit = unit;
    }

    /// @param value negative ones count as zero
    public void record(long value) {
        long counted = Math.max(0, value);
        counts.incrementAndGet(bucketOf(counted));
        sum.add(counted);
    }

    /// Adds the counts of another distribution with the same unit.
    public void add(Distribution other) {
        for (int i = 0; i < BUCKETS; i++) {
            long count = other.counts.get(i);
            if (count != 0) {
                counts.addAndGet(i, count);
            }
        }
        sum.add(other.sum.sum());
    }

    public long count() {
        long count = 0;
        for (int i = 0; i < BUCKETS; i++) {
            count += counts.get(i);
        }
        return count;
    }

    /// The sum of all values, in the unit of the metric.
    public double sum() {
        return sum.sum() * unit;
    }

    /// The number of values at or below a bound, to the precision of a bucket: a bucket counts when its largest value
    /// is within the bound.
    ///
    /// @param bound in the unit of the metric
    public long countUpTo(double bound) {
        long count = 0;
        for (int i = 0; i < BUCKETS && largestOf(i) * unit <= bound; i++) {
            count += counts.get(i);
        }
        return count;
    }

    /// The quantile of all values for this share, in the unit of the metric and to the precision of a bucket; 0 when
    /// there are no values.
    ///
    /// @param share between 0 and 1
    public double quantile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(count() * share));
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts.get(i);
            if (seen >= wanted) {
                return largestOf(i) * unit;
            }
        }
        return 0;
    }

    private static int bucketOf(long value) {
        if (value < SUB_BUCKETS) {
            return (int) value;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - SUB_BITS;
        return (shift << SUB_BITS) + (int) (value >>> shift);
    }

    private static long largestOf(int bucket) {
        if (bucket < 2 * SUB_BUCKETS) {
            return bucket;
        }
        int shift = (bucket >>> SUB_BITS) - 1;
        return ((long) (bucket - (shift << SUB_BITS)) + 1 << shift) - 1;
    }
}
