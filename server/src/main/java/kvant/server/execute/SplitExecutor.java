package kvant.server.execute;

import kvant.engine.MetricSink;

/// An executor with one pool for reads and one for writes, so that neither waits behind the other.
public final class SplitExecutor implements CallExecutor {

    private final CallExecutor reads;
    private final CallExecutor writes;

    public SplitExecutor(CallExecutor reads, CallExecutor writes) {
        this.reads = reads;
        this.writes = writes;
    }

    @Override
    public boolean submit(RunnableCall call) {
        return poolOf(call).submit(call);
    }

    @Override
    public void force(RunnableCall call) {
        poolOf(call).force(call);
    }

    @Override
    public void measure(MetricSink sink) {
        reads.measure(sink);
        writes.measure(sink);
    }

    @Override
    public boolean close() {
        boolean idle = reads.close();
        return writes.close() && idle;
    }

    private CallExecutor poolOf(RunnableCall call) {
        return switch (call.kind()) {
            case WRITE, BATCH -> writes;
            case READ, RANGE, OTHER -> reads;
        };
    }
}
