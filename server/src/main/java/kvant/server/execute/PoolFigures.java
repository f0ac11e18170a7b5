package kvant.server.execute;

import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// What a pool did not run: what it answered 503, by the reason, and what nobody waited for. Any thread may count.
final class PoolFigures {

    private static final String POOL = "pool";

    // Constant.
    private final String pool;

    // Concurrent.
    private final LongAdder full = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();
    private final LongAdder expired = new LongAdder();
    private final LongAdder abandoned = new LongAdder();

    PoolFigures(String pool) {
        this.pool = pool;
    }

    /// There was no room.
    void full() {
        full.increment();
    }

    /// It had waited too long in a queue that stood, or would have.
    void turnedAway() {
        turnedAway.increment();
    }

    /// Its own time was over.
    void expired() {
        expired.increment();
    }

    /// Its client was gone.
    void abandoned() {
        abandoned.increment();
    }

    void measure(MetricSink sink, int waiting, int workers) {
        sink.gauge("kvant_pool_waiting", "Requests that wait for a worker.", waiting, POOL, pool);
        sink.gauge("kvant_pool_workers", "Threads of the pool.", workers, POOL, pool);
        refused(sink, "full", full.sum());
        refused(sink, "standing", turnedAway.sum());
        refused(sink, "deadline", expired.sum());
        sink.counter(
                "kvant_pool_abandoned_total",
                "Requests that were not run, because their connections had ended.",
                abandoned.sum(),
                POOL,
                pool);
    }

    private void refused(MetricSink sink, String reason, long count) {
        sink.counter(
                "kvant_pool_refused_total",
                "Requests that a pool answered 503 without running them.",
                count,
                POOL,
                pool,
                "reason",
                reason);
    }
}
