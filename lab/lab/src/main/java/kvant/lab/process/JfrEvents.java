package kvant.lab.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import kvant.lab.result.SamplesRecord.Event;
import kvant.lab.result.StepRecord.ProcessFigures;
import kvant.lab.result.StepRecord.Stage;
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

    /// Heap allocation of a served JVM, from the totals per thread that its flight recorder reports once a
    /// second.
    ///
    /// Belongs to one thread.
    static final class Allocation {

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

        /// Bytes allocated in the measured time; 0 if less than half of it is covered. Up to a second at either
        /// end may be missing, and is extrapolated.
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

    /// A stretch of the measured time of a step. A step measured in slices has several, consecutive on the
    /// timeline of the step regardless of the gaps between them.
    ///
    /// @param from wall clock at its start
    /// @param fromNanos its start, of `System.nanoTime`
    /// @param nanos its length
    /// @param at its start on the timeline of the step
    public record Stretch(Instant from, long fromNanos, long nanos, long at) {

        /// True if an activity overlaps with this stretch.
        ///
        /// @param begin since the start of the stretch
        /// @param end since the start of the stretch
        boolean has(long begin, long end) {
            return end >= 0 && begin <= nanos;
        }
    }
}
