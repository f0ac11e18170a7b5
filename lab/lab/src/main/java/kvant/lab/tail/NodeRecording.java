package kvant.lab.tail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import kvant.lab.result.Remark;
import kvant.lab.tail.Division.Part;
import kvant.load.record.SlowRequest;
import org.jspecify.annotations.Nullable;

/// A node's recording of its own activity, reduced to the slowest requests. All times are nano times.
///
/// @param requests by the client's port, in the order in which they were read
/// @param allRequests whether fast ones are included; otherwise requests may be missing between two of them
/// @param recorded from the first request to the last; empty if there was none
/// @param waits without overlaps
/// @param meanwhile by name, background work that may have used a core or the disk
/// @param notes for readers of the figures
record NodeRecording(
        Map<Integer, List<ServedRequest>> requests,
        boolean allRequests,
        Spans recorded,
        Waits waits,
        Map<String, Spans> meanwhile,
        List<Remark> notes) {

    private static final int NO_ANSWER = 0;

    /// No recording.
    static NodeRecording none(Remark why) {
        return new NodeRecording(Map.of(), false, Spans.NONE, Waits.NONE, Map.of(), List.of(why));
    }

    /// @param waits may overlap; a time in several of them belongs to the first
    static NodeRecording of(
            List<ServedRequest> requests,
            boolean allRequests,
            Spans recorded,
            Waits waits,
            Map<String, Spans> meanwhile,
            List<Remark> notes) {
        Map<Integer, List<ServedRequest>> byPort = new HashMap<>();
        for (ServedRequest request : requests) {
            byPort.computeIfAbsent(request.port(), _ -> new ArrayList<>()).add(request);
        }
        byPort.values()
                .forEach(each -> each.sort(Comparator.comparingLong(ServedRequest::readNanos)
                        .thenComparingLong(ServedRequest::settledNanos)));
        return new NodeRecording(byPort, allRequests, recorded, waits.disjoint(), meanwhile, notes);
    }

    List<ServedRequest> of(int port) {
        return requests.getOrDefault(port, List.of());
    }

    /// The event of a request: read after it was sent, and answered before its answer arrived. With pipelining several
    /// may match. Answers are written in order, so it is the last one.
    @Nullable
    ServedRequest match(SlowRequest slow) {
        ServedRequest match = null;
        for (ServedRequest each : of(slow.port())) {
            // One that the client abandoned may have been answered later.
            long inTime = slow.status() == NO_ANSWER ? each.readNanos() : each.settledNanos();
            boolean within = each.readNanos() >= slow.sentNanos() && inTime <= slow.receivedNanos();
            if (within && (match == null || each.settledNanos() >= match.settledNanos())) {
                match = each;
            }
        }
        return match;
    }

    /// The periods in which a node delayed its requests.
    ///
    /// @param gc the JVM was stopped for a garbage collection
    /// @param safepoint the JVM was stopped, or was waiting for its threads to stop
    /// @param stall writes were held back
    /// @param sync the commit thread waited for the disk
    /// @param logChange the commit thread closed a log and started the next
    record Waits(Spans gc, Spans safepoint, Spans stall, Spans sync, Spans logChange) {

        static final Waits NONE = new Waits(Spans.NONE, Spans.NONE, Spans.NONE, Spans.NONE, Spans.NONE);

        /// The same without overlaps: a time in several of them belongs to the first.
        Waits disjoint() {
            Spans pauses = gc.and(safepoint);
            Spans held = pauses.and(stall);
            return new Waits(
                    gc,
                    safepoint.without(gc),
                    stall.without(pauses),
                    sync.without(held),
                    logChange.without(held.and(sync)));
        }
    }

    /// A request as recorded by the node: the nano times at which its stages ended.
    ///
    /// @param port of the client
    /// @param part kind of the engine's stage
    /// @param threadFree whether no request was queued before it at the handover
    record ServedRequest(
            int port,
            Part part,
            long readNanos,
            long queuedNanos,
            long startedNanos,
            long doneNanos,
            long settledNanos,
            long writtenNanos,
            boolean threadFree) {

        static ServedRequest of(RecordedEvent event) {
            long read = event.getLong("readNanos");
            long queued = read + event.getLong("readTime");
            long started = queued + event.getLong("queueTime");
            long done = started + event.getLong("engineTime");
            long settled = done + event.getLong("deliverTime");
            return new ServedRequest(
                    event.getInt("remotePort"),
                    partOf(event.getString("operation")),
                    read,
                    queued,
                    started,
                    done,
                    settled,
                    settled + event.getLong("writeTime"),
                    event.getBoolean("threadFree"));
        }

        /// The kind of time between the start on a thread and the engine's answer.
        static Part partOf(String operation) {
            return switch (operation) {
                case "get", "range" -> Part.ENGINE_READ;
                case "put", "delete", "batch" -> Part.GROUP_COMMIT;
                default -> Part.EXECUTOR;
            };
        }
    }
}
