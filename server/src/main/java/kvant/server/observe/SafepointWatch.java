package kvant.server.observe;

import java.time.Duration;
import java.time.Instant;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/// Tells an [ActivityLog] of the times in which the JVM had stopped all threads, and for what: collections, but also
/// whatever else needs a safepoint.
///
/// From the JVM's own flight recorder, which hands its events over about once a second. With this one event the
/// recorder costs no measurable time, but some tens of megabytes of memory: that is why it is not on by default.
final class SafepointWatch implements AutoCloseable {

    private static final String EVENT = "jdk.ExecuteVMOperation";
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final long KEPT_BYTES = 4 << 20;

    private final ActivityLog log;
    private final RecordingStream stream = new RecordingStream();

    private SafepointWatch(ActivityLog log) {
        this.log = log;
    }

    /// A watch that runs until it is closed.
    static SafepointWatch started(ActivityLog log) {
        SafepointWatch watch = new SafepointWatch(log);
        watch.stream.setMaxAge(KEPT);
        watch.stream.setMaxSize(KEPT_BYTES);
        watch.stream.enable(EVENT).withThreshold(SHORTEST).withoutStackTrace();
        watch.stream.onEvent(EVENT, watch::executed);
        watch.stream.startAsync();
        return watch;
    }

    @Override
    public void close() {
        stream.close();
    }

    private void executed(RecordedEvent event) {
        if (event.getBoolean("safepoint")) {
            log.during(
                    "safepoint: " + event.getString("operation"),
                    nanosOf(event.getStartTime()),
                    nanosOf(event.getEndTime()));
        }
    }

    /// The nano time of a moment of the past.
    private static long nanosOf(Instant moment) {
        return System.nanoTime() - Duration.between(moment, Instant.now()).toNanos();
    }
}
