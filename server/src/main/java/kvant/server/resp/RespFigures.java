package kvant.server.resp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// The figures of the port for RESP besides those of requests. Any thread may call.
public final class RespFigures {

    // Constant.
    final long beganNanos = System.nanoTime();

    // Atomic.
    private final AtomicLong opened = new AtomicLong();
    private final LongAdder closed = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder errors = new LongAdder();

    /// @return the number of the connection, from 1 on
    long opened() {
        return opened.incrementAndGet();
    }

    public void closed() {
        closed.increment();
    }

    /// Counts a written reply.
    void replied(Reply reply) {
        (reply.isError() ? errors : answered).increment();
    }

    /// The number of open ones.
    long connections() {
        return opened.get() - closed.sum();
    }

    public void measure(MetricSink sink) {
        sink.gauge(
                "kvant_resp_connections",
                "Open connections at the port for RESP, which are among all connections.",
                connections());
        String help = "Commands that were answered at the port for RESP.";
        sink.counter("kvant_resp_commands_total", help, answered.sum(), "result", "ok");
        sink.counter("kvant_resp_commands_total", help, errors.sum(), "result", "error");
    }
}
