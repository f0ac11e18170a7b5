package kvant.lab.process;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/// Heap allocation of a served JVM, from the totals per thread that its flight recorder reports once a second.
///
/// Belongs to one thread.
final class Allocation {

    static final String EVENT = "jdk.ThreadAllocationStatistics";

    private final Map<Long, TreeMap<Long, Long>> bytesByThread = new HashMap<>();
    private final Instant from;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    /// @param from start of the measured time
    Allocation(Instant from) {
        this.from = from;
    }

    void add(RecordedEvent event) {
        RecordedThread thread = event.getThread("thread");
        if (thread != null) {
            add(thread.getId(), Duration.between(from, event.getStartTime()).toNanos(), event.getLong("allocated"));
        }
    }

    /// @param nanos since the start of the measured time
    /// @param bytes since the start of the thread
    void add(long thread, long nanos, long bytes) {
        bytesByThread.computeIfAbsent(thread, _ -> new TreeMap<>()).put(nanos, bytes);
        firstNanos = Math.min(firstNanos, nanos);
        lastNanos = Math.max(lastNanos, nanos);
    }

    /// Bytes allocated in the measured time; 0 if less than half of it is covered. Up to a second at either end may be
    /// missing, and is extrapolated.
    long during(long lengthNanos) {
        long begin = Math.max(0, firstNanos);
        long end = Math.min(lengthNanos, lastNanos);
        if (firstNanos > lastNanos || end - begin < lengthNanos / 2) {
            return 0;
        }
        double bytes = 0;
        for (TreeMap<Long, Long> thread : bytesByThread.values()) {
            bytes += at(thread, end) - at(thread, begin);
        }
        return (long) (bytes * lengthNanos / (end - begin));
    }

    /// Interpolated between samples; 0 before the first, constant after the last.
    private static double at(TreeMap<Long, Long> thread, long nanos) {
        Map.Entry<Long, Long> before = thread.floorEntry(nanos);
        Map.Entry<Long, Long> after = thread.ceilingEntry(nanos);
        if (before == null) {
            return 0;
        }
        if (after == null || after.getKey().equals(before.getKey())) {
            return before.getValue();
        }
        double share = (double) (nanos - before.getKey()) / (after.getKey() - before.getKey());
        return before.getValue() + share * (after.getValue() - before.getValue());
    }
}
