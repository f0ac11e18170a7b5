package kvant.lab.tail;

import java.util.Map;
import java.util.TreeMap;

/// Brings the recorder's clock and nano times together.
///
/// The recorder counts ticks of its own and tells them as wall clock time; both may run a little faster or slower than
/// nano times, and the wall clock may be set. So there is no one difference: events that know both times give one for
/// each tenth of a second, and a moment takes that of the nearest. Such an event takes the recorder's time first and
/// the nano time right after it: of several differences the largest was delayed least in between.
///
/// Owned by the thread that reads the recording.
final class ClockAlignment {

    private static final long BUCKET_NANOS = 100_000_000;

    private final TreeMap<Long, Long> differences = new TreeMap<>();

    /// @param recorderNanos wall clock time of the recorder, since the epoch
    void anchor(long recorderNanos, long nanoTime) {
        differences.merge(Math.floorDiv(recorderNanos, BUCKET_NANOS), recorderNanos - nanoTime, Math::max);
    }

    /// Whether there was any event that knew both.
    boolean isKnown() {
        return !differences.isEmpty();
    }

    /// The nano time of a moment of the recorder.
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
