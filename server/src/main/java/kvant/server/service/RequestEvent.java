package kvant.server.service;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/// The event of an answered request: the time of its reading, and the durations of its stages, in their order.
///
/// An external measurement finds the request by the port of its client and by time: the time of reading is a nano
/// time, of the clock that all processes of a Linux machine share. The event itself begins when the request was
/// handed to the executor, which is `readNanos` plus `readTime`: so a reader can relate the clock of the recorder to
/// nano times.
///
/// Begun and ended by the event loop. Off unless the settings of a recording ask for it by name, because there are as
/// many as requests; without a recording a request costs the check of a flag, and nothing is allocated.
@Name("kvant.Request")
@Label("Request")
@Category({"Kvant", "Server"})
@Description("A request from the bytes read to the bytes written, stage by stage")
@Enabled(false)
@StackTrace(false)
final class RequestEvent extends Event {

    /// Serves to ask whether a recording wants such events; never committed.
    private static final RequestEvent PROBE = new RequestEvent();

    @Label("Operation")
    String operation = "";

    @Label("Result")
    String result = "";

    @Label("Port of the Client")
    int remotePort;

    @Label("Id of the Request")
    @Description("Request id of the client; empty if it sent none and none was needed")
    String requestId = "";

    @Label("Id of the Trace")
    @Description("Of its client (W3C Trace Context), or empty")
    String traceId = "";

    @Label("Read at this Nano Time")
    long readNanos;

    @Label("Read, until Handed to the Executor")
    @Timespan(Timespan.NANOSECONDS)
    long readTime;

    @Label("Until a Thread Began with It")
    @Timespan(Timespan.NANOSECONDS)
    long queueTime;

    @Label("A Thread Was Free")
    @Description("Nothing was queued before it: the wait is the hand-off alone")
    boolean threadFree;

    @Label("Until the Engine Had Answered or Committed")
    @Timespan(Timespan.NANOSECONDS)
    long engineTime;

    @Label("Until back on the Event Loop")
    @Timespan(Timespan.NANOSECONDS)
    long deliverTime;

    @Label("Until the Answer Was Handed to the Kernel")
    @Timespan(Timespan.NANOSECONDS)
    long writeTime;

    /// The event of a request that is being handed to the executor, or null where no recording runs.
    static @Nullable RequestEvent begun() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        RequestEvent event = new RequestEvent();
        event.begin();
        return event;
    }

    void end(Call call, String newOperation, String newResult, long nowNanos) {
        end();
        if (shouldCommit()) {
            operation = newOperation;
            result = newResult;
            remotePort = call.remotePort();
            requestId = call.trace().idText();
            traceId = call.trace().traceText();
            readNanos = call.readNanos();
            readTime = call.queuedNanos() - call.readNanos();
            queueTime = call.startedNanos() - call.queuedNanos();
            engineTime = call.doneNanos() - call.startedNanos();
            deliverTime = call.settledNanos() - call.doneNanos();
            writeTime = nowNanos - call.settledNanos();
            commit();
        }
    }
}
