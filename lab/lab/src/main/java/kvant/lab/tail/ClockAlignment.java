package kvant.lab.tail;

import java.util.Map;
import java.util.TreeMap;

/// Converts the recorder's clock to nano times.
///
/// The recorder counts its own ticks and reports them as wall clock time. Both may drift from nano times, and the wall
/// clock may be set, so there is no constant offset. Events that contain both times give an offset for each tenth of a
/// second, and the nearest one is used. Such an event takes the recorder's time first and the nano time right after it:
/// the largest offset had the least delay in between.
///
/// Belongs to the thread that reads the recording.
final class ClockAlignment {

    private static final long BUCKET_NANOS = 100_000_000;

    private final TreeMap<Long, Long> differences = new TreeMap<>();

    /// @param recorderNanos wall clock time of the recorder, since the epoch
    void anchor(long recorderNanos, long nanoTime) {
        differences.merge(Math.floorDiv(recorderNanos, BUCKET_NANOS), recorderNanos - nanoTime, Math::max);
    }

    /// True if any event contained both times.
    boolean isKnown() {
        return !differences.isEmpty();
    }

    /// The nano time for a time of the recorder.
    long nanoTime(long recorderNanos) {
        long bucket = Math.floorDiv(recorderNanos, BUCKET_NANOS);
        Map.Entry<Long, Long> before = differences.floorEntry(bucket);
        Map.Entry<Long, Long> after = differences.ceilingEntry(bucket);
        if (before == null && after == null) {
            throw new IllegalStateException("no event knew both times");
        }
        boolean isBefore = after == null || before != null && bucket - before.getKey() <= after.getKey() - bucket;
        return recorderNanos - (isBefore ? before : after).getValue();
    }
}
