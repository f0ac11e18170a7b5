package kvant.server.service;

import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;
import kvant.server.request.RequestTrace;
import kvant.server.request.RequestTrace.TraceParent;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/// A bounded queue of slow requests for a consumer such as an exporter. A request that does not fit is left out and
/// counted; no request waits.
///
/// Event loops put, one thread takes.
public final class SlowFeed {

    // Constant.
    private final long leastNanos;
    private final int capacity;
    private final MpscVarHandleArrayQueue<SlowRequest> requests;

    // Atomic.
    private final LongAdder dropped = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /// @param leastNanos duration from which a request is slow
    /// @param capacity most requests that wait to be taken
    public SlowFeed(long leastNanos, int capacity) {
        this.leastNanos = leastNanos;
        this.capacity = capacity;
        this.requests = new MpscVarHandleArrayQueue<>(capacity);
    }

    /// Whether a request is slow and there is room. A request whose trace the client does not record is left out.
    boolean wants(long totalNanos, RequestTrace trace) {
        TraceParent parent = trace.parent();
        if (totalNanos < leastNanos || parent != null && !parent.isSampled()) {
            return false;
        }
        boolean room = requests.size() < capacity;
        if (!room) {
            dropped.increment();
        }
        return room;
    }

    void put(SlowRequest request) {
        if (!requests.offer(request)) {
            dropped.increment();
        }
    }

    /// Takes a request, for one thread; null where none waits.
    public @Nullable SlowRequest poll() {
        return requests.poll();
    }

    /// Counts requests that the consumer has received.
    public void sent(int count) {
        sent.add(count);
    }

    /// Counts requests that were given up.
    public void failed(int count) {
        failed.add(count);
    }

    /// @param feed null where there is no consumer
    static void measure(@Nullable SlowFeed feed, MetricSink sink) {
        String taken = "Slow requests whose spans a collector has taken.";
        sink.counter("kvant_slow_spans_sent_total", taken, feed == null ? 0 : feed.sent.sum());
        String help = "Slow requests whose spans were left out, because the queue was full or the collector failed.";
        sink.counter("kvant_slow_spans_lost_total", help, feed == null ? 0 : feed.dropped.sum(), "cause", "queue");
        sink.counter("kvant_slow_spans_lost_total", help, feed == null ? 0 : feed.failed.sum(), "cause", "collector");
    }
}
