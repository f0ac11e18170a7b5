package kvant.cassandra;

import java.util.Arrays;
import java.util.PriorityQueue;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// The records of all buckets in one order.
///
///     bucket 0 --pages--\
///     bucket 1 --pages---> smallest key first --> reader
///     ...               /
///
/// Belongs to one thread at a time, which waits for pages; a virtual one gives its place up meanwhile.
final class MergingScan extends RowCursor {

    // Constant.
    private final PriorityQueue<BucketScan> ahead;
    private final BucketScan[] buckets;

    // Owned by the reader.
    private boolean begun;
    private @Nullable BucketScan current;

    /// @param buckets whose first pages have been asked for
    MergingScan(BucketScan[] buckets) {
        this.buckets = buckets;
        this.ahead = new PriorityQueue<>(
                Math.max(1, buckets.length),
                (a, b) -> Arrays.compareUnsigned(a.record().key(), b.record().key()));
    }

    @Override
    public boolean next() {
        if (!begun) {
            begun = true;
            for (BucketScan bucket : buckets) {
                advance(bucket);
            }
        } else if (current != null) {
            advance(current);
        }
        current = ahead.poll();
        moveTo(current == null ? null : current.record());
        return current != null;
    }

    @Override
    public void close() {
        begun = true;
        current = null;
        moveTo(null);
        ahead.clear();
        for (BucketScan bucket : buckets) {
            bucket.close();
        }
    }

    /// @throws EngineException when its next page cannot be had
    private void advance(BucketScan bucket) {
        if (bucket.next()) {
            ahead.add(bucket);
        }
    }
}
