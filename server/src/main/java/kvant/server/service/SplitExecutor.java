package kvant.server.service;

import kvant.engine.MetricSink;

/// One pool for reads and one for writes, so that neither waits behind the other.
final class SplitExecutor implements CallExecutor {

    private final PoolExecutor reads;
    private final PoolExecutor writes;

    SplitExecutor(PoolExecutor reads, PoolExecutor writes) {
        this.reads = reads;
        this.writes = writes;
    }

    @Override
    public boolean submit(Call call) {
        return poolOf(call).submit(call);
    }

    @Override
    public void force(Call call) {
        poolOf(call).force(call);
    }

    @Override
    public void measure(MetricSink sink) {
        reads.measure(sink);
        writes.measure(sink);
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
    }

    private PoolExecutor poolOf(Call call) {
        return switch (call.request()) {
            case Request.Put _, Request.Delete _, Request.Batch _ -> writes;
            case Request.Get _, Request.Scan _, Request.Probe _, Request.Page _ -> reads;
        };
    }
}
