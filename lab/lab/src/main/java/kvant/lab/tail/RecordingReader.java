package kvant.lab.tail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import kvant.lab.result.Remark;
import kvant.lab.tail.NodeRecording.ServedRequest;
import kvant.lab.tail.NodeRecording.Waits;
import kvant.load.record.SlowRequest;
import org.jspecify.annotations.Nullable;

/// Reads a node's flight recording in one pass. It keeps only requests on the connection of a slow request while that
/// was waiting, because the recording contains all requests of the run.
final class RecordingReader {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /// Maximum number of pauses, stalls, syncs and background activities together; beyond that the rest is dropped, and
    /// this is reported.
    private static final int MOST_SPANS = 4_000_000;

    /// Maximum number of requests: under constant overload every request is on the connection of a slow one.
    private static final int MOST_REQUESTS = 2_000_000;

    private final Map<Integer, Spans> wanted;
    private final ClockAlignment clock = new ClockAlignment();
    private final List<ServedRequest> requests = new ArrayList<>();
    private final Spans.Builder stalls = new Spans.Builder();
    private final Spans.Builder syncs = new Spans.Builder();
    private final Spans.Builder logChanges = new Spans.Builder();
    private final List<Remark> notes = new ArrayList<>();
    private final Map<Long, String> thresholds = new HashMap<>();

    // In the recorder's clock, until the whole recording has been read.
    private final List<long[]> pauses = new ArrayList<>();
    private final List<long[]> stops = new ArrayList<>();
    private final List<long[]> flushes = new ArrayList<>();
    private final List<long[]> compactions = new ArrayList<>();
    private final Map<Long, Long> stopBegins = new HashMap<>();

    private long requestType = -1;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;
    private int spans;
    private long dropped;
    private long lostBytes;

    private RecordingReader(Map<Integer, Spans> wanted) {
        this.wanted = wanted;
    }

    static NodeRecording read(@Nullable Path file, List<SlowRequest> slowest) {
        if (file == null || !Files.isRegularFile(file)) {
            return NodeRecording.none(new Remark.NodeNotRecorded());
        }
        return new RecordingReader(windows(slowest)).read(file);
    }

    /// By port, the periods with slow requests.
    private static Map<Integer, Spans> windows(List<SlowRequest> slowest) {
        Map<Integer, Spans.Builder> builders = new HashMap<>();
        for (SlowRequest slow : slowest) {
            builders.computeIfAbsent(slow.port(), _ -> new Spans.Builder())
                    .add(slow.dueNanos(), slow.receivedNanos() + 1);
        }
        Map<Integer, Spans> windows = new HashMap<>();
        builders.forEach((port, builder) -> windows.put(port, builder.spans()));
        return windows;
    }

    private NodeRecording read(Path file) {
        long events = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                take(recording.readEvent());
                events++;
            }
        } catch (IOException | RuntimeException e) { // the parser trusts its input
            if (events == 0) {
                return NodeRecording.none(new Remark.NodeRecordingUnreadable(String.valueOf(e.getMessage())));
            }
            notes.add(new Remark.NodeRecordingBreaksOff(String.valueOf(e.getMessage())));
        }
        return recording();
    }

    private void take(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "kvant.Request" -> request(event);
            case "kvant.lsm.WriteStall" -> engineSpan(event, stalls);
            case "kvant.lsm.LogSync" -> engineSpan(event, syncs);
            case "kvant.lsm.LogChange" -> engineSpan(event, logChanges);
            case "kvant.lsm.Flush" -> keep(flushes, nanos(event.getStartTime()), nanos(event.getEndTime()));
            case "kvant.lsm.Compaction" -> keep(compactions, nanos(event.getStartTime()), nanos(event.getEndTime()));
            case "kvant.lsm.CommitGroup" -> clock.anchor(nanos(event.getStartTime()), event.getLong("beganNanos"));
            case "jdk.GCPhasePause" -> keep(pauses, nanos(event.getStartTime()), nanos(event.getEndTime()));
            case "jdk.SafepointBegin" -> stopBegins.put(event.getLong("safepointId"), nanos(event.getStartTime()));
            case "jdk.SafepointEnd" -> {
                Long begin = stopBegins.remove(event.getLong("safepointId"));
                keep(stops, begin == null ? nanos(event.getStartTime()) : begin, nanos(event.getEndTime()));
            }
            case "jdk.ActiveSetting" -> {
                if ("threshold".equals(event.getString("name"))) {
                    thresholds.put(event.getLong("id"), event.getString("value"));
                }
            }
            case "jdk.DataLoss" -> lostBytes += event.getLong("amount");
            default -> {} // other events are not needed
        }
    }

    private void request(RecordedEvent event) {
        requestType = event.getEventType().getId();
        long read = event.getLong("readNanos");
        clock.anchor(nanos(event.getStartTime()), read + event.getLong("readTime"));
        firstNanos = Math.min(firstNanos, read);
        lastNanos = Math.max(lastNanos, read);
        Spans slow = wanted.get(event.getInt("remotePort"));
        if (slow != null) {
            ServedRequest served = ServedRequest.of(event);
            if (slow.overlaps(read, Math.max(served.writtenNanos(), read + 1))) {
                keep(served);
            }
        }
    }

    private void keep(ServedRequest served) {
        if (requests.size() < MOST_REQUESTS) {
            requests.add(served);
        } else {
            dropped++;
        }
    }

    private void engineSpan(RecordedEvent event, Spans.Builder into) {
        long began = event.getLong("beganNanos");
        clock.anchor(nanos(event.getStartTime()), began);
        if (spans++ < MOST_SPANS) {
            into.add(began, began + event.getDuration().toNanos());
        }
    }

    private void keep(List<long[]> into, long fromNanos, long toNanos) {
        if (spans++ < MOST_SPANS) {
            into.add(new long[] {fromNanos, toNanos});
        }
    }

    private static long nanos(Instant moment) {
        return moment.getEpochSecond() * NANOS_PER_SECOND + moment.getNano();
    }

    private NodeRecording recording() {
        Spans.Builder recorded = new Spans.Builder();
        recorded.add(firstNanos, lastNanos);
        explain();
        return NodeRecording.of(
                requests,
                isZero(thresholds.get(requestType)) && dropped == 0,
                recorded.spans(),
                new Waits(inNanoTime(pauses), inNanoTime(stops), stalls.spans(), syncs.spans(), logChanges.spans()),
                meanwhile(),
                notes);
    }

    private Map<String, Spans> meanwhile() {
        Map<String, Spans> meanwhile = new LinkedHashMap<>();
        meanwhile.put("flush", inNanoTime(flushes));
        meanwhile.put("compaction", inNanoTime(compactions));
        return meanwhile;
    }

    private Spans inNanoTime(List<long[]> recorderSpans) {
        Spans.Builder builder = new Spans.Builder();
        if (clock.isKnown()) {
            for (long[] span : recorderSpans) {
                builder.add(clock.nanoTime(span[0]), clock.nanoTime(span[1]));
            }
        }
        return builder.spans();
    }

    private void explain() {
        if (requestType < 0) {
            notes.add(new Remark.NoRequestEvents());
        } else if (thresholds.get(requestType) instanceof String threshold && !isZero(threshold)) {
            notes.add(new Remark.ShortRequestsNotRecorded(threshold));
        }
        if (!clock.isKnown() && !(pauses.isEmpty() && stops.isEmpty())) {
            notes.add(new Remark.PausesNotPlaced());
        }
        if (lostBytes > 0) {
            notes.add(new Remark.EventsLost(lostBytes));
        }
        if (dropped > 0) {
            notes.add(new Remark.RequestsCut(MOST_REQUESTS, MOST_REQUESTS + dropped));
        }
        if (spans > MOST_SPANS) {
            notes.add(new Remark.SpansCut(MOST_SPANS, spans));
        }
    }

    /// A threshold such as `0 ns`; if it is not recorded, it counts as unknown.
    private static boolean isZero(@Nullable String threshold) {
        return threshold == null || threshold.startsWith("0 ");
    }

    /// Converts the recorder's clock to nano times.
    ///
    /// The recorder counts its own ticks and reports them as wall clock time. Both may drift from nano times,
    /// and the wall clock may be set, so there is no constant offset. Events that contain both times give an
    /// offset for each tenth of a second, and the nearest one is used. Such an event takes the recorder's time
    /// first and the nano time right after it: the largest offset had the least delay in between.
    ///
    /// Belongs to the thread that reads the recording.
    static final class ClockAlignment {

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
}
