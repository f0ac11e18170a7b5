package kvant.lab.tail;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;

/// How long the requests of the measured time were in each stage of a node, on average. Its flight recording has an
/// event for each of them.
///
/// Owned by one thread.
public final class StageTimes {

    public static final String EVENT = "kvant.Request";

    /// Of the event, by the names of the stages.
    private static final Map<String, String> FIELDS = new LinkedHashMap<>();

    static {
        FIELDS.put("read", "readTime");
        FIELDS.put("queue", "queueTime");
        FIELDS.put("engine", "engineTime");
        FIELDS.put("deliver", "deliverTime");
        FIELDS.put("write", "writeTime");
    }

    private final Map<String, Double> sums = new LinkedHashMap<>();
    private final Instant from;
    private final Instant to;
    private long requests;

    /// @param from start of the measured time
    public StageTimes(Instant from, Duration length) {
        this.from = from;
        this.to = from.plus(length);
    }

    /// Takes an event of a request; one that was handed over before or after the measured time is none of it.
    public void add(RecordedEvent event) {
        Instant start = event.getStartTime();
        if (start.isBefore(from) || start.isAfter(to)) {
            return;
        }
        FIELDS.forEach((stage, field) -> sums.merge(stage, (double) event.getLong(field), Double::sum));
        requests++;
    }

    /// Nanoseconds by stage; of all requests, also of those that passed by a stage. Empty where none was recorded.
    public Map<String, Double> means() {
        Map<String, Double> means = new LinkedHashMap<>();
        sums.forEach((stage, sum) -> means.put(stage, sum / requests));
        return means;
    }
}
