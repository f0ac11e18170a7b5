package kvant.lab.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.SamplesRecord.Event;
import kvant.lab.result.Stage;
import org.jspecify.annotations.Nullable;

/// Events of a served JVM during the measured time of a step, from its flight recording.
///
/// @param events in chronological order; the longest ones if there are too many
/// @param gcPauseNanos total pause of threads by garbage collections
/// @param allocatedBytes on the heap; 0 if unknown
/// @param stageNanos average duration of each stage of a request in a node
/// @param lostBytes of events lost by the recorder at any time: all other figures may then be wrong
public record JfrEvents(
        List<Event> events,
        long gcPauseNanos,
        long gcCount,
        long allocatedBytes,
        Map<String, Double> stageNanos,
        long lostBytes) {

    public static final JfrEvents NONE = new JfrEvents(List.of(), 0, 0, 0, Map.of(), 0);

    private static final int MOST_EVENTS = 2000;

    /// Maximum number of events in memory before the longest are selected.
    private static final int MOST_READ = 200_000;

    /// Shorter pauses are invisible in a chart, and in a percentile.
    private static final long SHORTEST_NANOS = 100_000;

    /// Operations of collectors; their pauses are already counted as those of the collections.
    private static final Pattern COLLECTS = Pattern.compile("(G1|Gen|Parallel|Serial|Z|X|Shenandoah|CGC|CMS).*");

    public JfrEvents {
        events = List.copyOf(events);
    }

    /// Reads the events within the stretches; times are relative to the timeline of the step.
    ///
    /// @throws IOException when it is no recording
    public static JfrEvents read(Path recording, List<Stretch> stretches) throws IOException {
        List<OfStretch> parts = stretches.stream().map(OfStretch::new).toList();
        StageTimes stages = new StageTimes();
        long lostBytes = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                switch (event.getEventType().getName()) {
                    case "kvant.Request" -> {
                        if (parts.stream().anyMatch(part -> part.has(event.getStartTime()))) {
                            stages.add(event);
                        }
                    }
                    case "jdk.DataLoss" -> lostBytes += event.getLong("amount");
                    default -> parts.forEach(part -> part.add(event));
                }
            }
        }
        List<Event> events = new ArrayList<>();
        parts.forEach(part -> events.addAll(part.events));
        events.sort(Comparator.comparingLong(one -> one.fromNanos() - one.toNanos()));
        List<Event> longest = new ArrayList<>(events.subList(0, Math.min(MOST_EVENTS, events.size())));
        longest.sort(Comparator.comparingLong(Event::fromNanos));
        return new JfrEvents(
                longest,
                parts.stream().mapToLong(part -> part.pauseNanos).sum(),
                parts.stream().mapToLong(part -> part.collections).sum(),
                allocated(parts),
                stages.means(),
                lostBytes);
    }

    /// 0 if it is unknown for one of the parts.
    private static long allocated(List<OfStretch> parts) {
        List<Long> bytes = parts.stream()
                .map(part -> part.allocation.during(part.stretch.nanos()))
                .toList();
        return bytes.contains(0L)
                ? 0
                : bytes.stream().mapToLong(Long::longValue).sum();
    }

    /// Durations of the stages of handed-over requests in the measured time. A node's flight recording has an event for
    /// each of them.
    private static final class StageTimes {
        private final Map<Stage, Double> sums = new EnumMap<>(Stage.class);
        private long requests;

        void add(RecordedEvent event) {
            for (Stage stage : Stage.values()) {
                sums.merge(stage, (double) event.getLong(stage.label() + "Time"), Double::sum);
            }
            requests++;
        }

        /// Mean nanoseconds by stage, named as in [Stage#label]; over all requests, including those that skipped a
        /// stage. Empty if there were no events.
        Map<String, Double> means() {
            Map<String, Double> means = new LinkedHashMap<>();
            sums.forEach((stage, sum) -> means.put(stage.label(), sum / requests));
            return means;
        }
    }

    /// Events of one stretch.
    private static final class OfStretch {
        private final Stretch stretch;
        private final Allocation allocation;
        private final List<Event> events = new ArrayList<>();
        private long pauseNanos;
        private long collections;

        OfStretch(Stretch stretch) {
            this.stretch = stretch;
            this.allocation = new Allocation(stretch.from());
        }

        boolean has(Instant moment) {
            long nanos = Duration.between(stretch.from(), moment).toNanos();
            return stretch.has(nanos, nanos);
        }

        void add(RecordedEvent event) {
            if (event.getEventType().getName().equals(Allocation.EVENT)) {
                allocation.add(event);
            }
            @Nullable Event own = event(event, stretch.from());
            if (own == null || !stretch.has(own.fromNanos(), own.toNanos())) {
                return;
            }
            if (own.kind().equals("gc")) {
                pauseNanos += event.getDuration("sumOfPauses").toNanos();
                collections++;
            }
            if (events.size() < MOST_READ) {
                events.add(new Event(
                        own.kind(), stretch.at() + own.fromNanos(), stretch.at() + own.toNanos(), own.detail()));
            }
        }
    }

    private static @Nullable Event event(RecordedEvent event, Instant from) {
        return switch (event.getEventType().getName()) {
            case "jdk.GarbageCollection" ->
                timed("gc", event, from, event.getString("name") + ", " + event.getString("cause"));
            case "jdk.ExecuteVMOperation" -> {
                String operation = event.getString("operation");
                boolean told = event.getBoolean("safepoint")
                        && event.getDuration().toNanos() >= SHORTEST_NANOS
                        && !COLLECTS.matcher(operation).matches();
                yield told ? timed("safepoint", event, from, operation) : null;
            }
            case "kvant.lsm.Flush" -> timed("flush", event, from, bytes(event));
            case "kvant.lsm.Compaction" ->
                timed("compaction", event, from, "level " + event.getInt("level") + ", " + bytes(event));
            case "kvant.lsm.WriteStall" -> stall(event, from);
            default -> null;
        };
    }

    private static String bytes(RecordedEvent event) {
        return event.getLong("inputBytes") + " to " + event.getLong("outputBytes") + " bytes";
    }

    private static Event timed(String kind, RecordedEvent event, Instant from, String detail) {
        return new Event(
                kind,
                Duration.between(from, event.getStartTime()).toNanos(),
                Duration.between(from, event.getEndTime()).toNanos(),
                detail);
    }

    /// The event is recorded at its end, with its duration.
    private static Event stall(RecordedEvent event, Instant from) {
        long end = Duration.between(from, event.getEndTime()).toNanos();
        return new Event("stall", end - event.getLong("nanos"), end, event.getString("cause"));
    }

    /// Adds the figures from the flight recording to those of a process.
    public ProcessFigures addedTo(ProcessFigures process) {
        return new ProcessFigures(
                process.pid(),
                process.cpuNanos(),
                process.maxRssBytes(),
                process.answered(),
                gcPauseNanos,
                gcCount,
                allocatedBytes,
                process.userProcessors(),
                stageNanos);
    }
}
