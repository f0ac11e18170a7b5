package kvant.lab.tail;

import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import kvant.lab.result.Stage;

/// How long the requests of the measured time were in each stage of a node, on average. Its flight recording has an
/// event for each of them.
///
/// Owned by one thread.
public final class StageTimes {

    public static final String EVENT = "kvant.Request";

    private final Map<Stage, Double> sums = new EnumMap<>(Stage.class);
    private final List<Span> measured;
    private long requests;

    /// A stretch of the measured time.
    public record Span(Instant from, Instant to) {

        boolean has(Instant moment) {
            return !moment.isBefore(from) && !moment.isAfter(to);
        }
    }

    public StageTimes(List<Span> measured) {
        this.measured = List.copyOf(measured);
    }

    /// Takes an event of a request; one that was handed over before or after the measured time is none of it.
    public void add(RecordedEvent event) {
        Instant start = event.getStartTime();
        if (measured.stream().noneMatch(span -> span.has(start))) {
            return;
        }
        for (Stage stage : Stage.values()) {
            sums.merge(stage, (double) event.getLong(stage.label() + "Time"), Double::sum);
        }
        requests++;
    }

    /// Nanoseconds by stage, as [Stage#label] names it; of all requests, also of those that passed by a stage. Empty
    /// where none was recorded.
    public Map<String, Double> means() {
        Map<String, Double> means = new LinkedHashMap<>();
        sums.forEach((stage, sum) -> means.put(stage.label(), sum / requests));
        return means;
    }
}
