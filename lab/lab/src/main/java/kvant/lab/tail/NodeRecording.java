package kvant.lab.tail;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.result.Remark;
import kvant.load.record.SlowRequest;
import org.jspecify.annotations.Nullable;

/// What a node recorded of itself, as far as it concerns the slowest requests. All times are nano times.
///
/// @param requests by the port of the client, in the order in which they were read
/// @param allRequests whether fast ones are among them; else there may be others between two of them
/// @param recorded from the first request to the last; empty where there was none
/// @param waits no moment is in two of them
/// @param meanwhile by name, what went on besides and may have taken a core or the disk
/// @param notes what a reader of the figures should know
record NodeRecording(
        Map<Integer, List<ServedRequest>> requests,
        boolean allRequests,
        Spans recorded,
        Waits waits,
        Map<String, Spans> meanwhile,
        List<Remark> notes) {

    private static final int NO_ANSWER = 0;

    /// Nothing is known of the node.
    static NodeRecording none(Remark why) {
        return new NodeRecording(Map.of(), false, Spans.NONE, Waits.NONE, Map.of(), List.of(why));
    }

    /// @param waits where a moment is in several, it goes to the first
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

    /// One that was given up may have been answered all the same, later.
    private static boolean isInTime(ServedRequest served, SlowRequest slow) {
        long inTime = slow.status() == NO_ANSWER ? served.readNanos() : served.settledNanos();
        return inTime <= slow.receivedNanos();
    }

    /// The event of a request: read after it was sent, and answered before its answer came. Where requests follow
    /// each other on a connection without waiting, several may be; answers are written in order: it is the last.
    @Nullable
    ServedRequest match(SlowRequest slow) {
        ServedRequest match = null;
        for (ServedRequest each : of(slow.port())) {
            boolean within = each.readNanos() >= slow.sentNanos() && isInTime(each, slow);
            if (within && (match == null || each.settledNanos() >= match.settledNanos())) {
                match = each;
            }
        }
        return match;
    }

    /// When a node made its requests wait.
    ///
    /// @param gc the JVM was stopped for a collection
    /// @param safepoint it was stopped, or on its way to a stop
    /// @param stall writes were held back
    /// @param sync the commit thread waited for the disk
    /// @param logChange the commit thread ended a log and began the next
    record Waits(Spans gc, Spans safepoint, Spans stall, Spans sync, Spans logChange) {

        static final Waits NONE = new Waits(Spans.NONE, Spans.NONE, Spans.NONE, Spans.NONE, Spans.NONE);

        /// The same, with each moment in the first of the spans that has it.
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
}
