package kvant.server.resp;

import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// The figures of the port for RESP besides those of requests. Any thread may call.
public final class RespFigures {

    // Atomic.
    private final LongAdder connections = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder errors = new LongAdder();

    public void opened() {
        connections.increment();
    }

    public void closed() {
        connections.decrement();
    }

    /// Counts a written reply.
    void replied(Reply reply) {
        if (reply.isError()) {
            errors.increment();
        } else {
            answered.increment();
        }
    }

    public int connections() {
        return connections.intValue();
    }

    public void measure(MetricSink sink) {
        sink.gauge(
                "kvant_resp_connections",
                "Open connections at the port for RESP, which are among all connections.",
                connections.sum());
        String help = "Commands that were answered at the port for RESP.";
        sink.counter("kvant_resp_commands_total", help, answered.sum(), "result", "ok");
        sink.counter("kvant_resp_commands_total", help, errors.sum(), "result", "error");
    }
}
