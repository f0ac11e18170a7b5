package kvant.server.execute;

import java.util.Set;
import kvant.engine.MetricSink;
import kvant.server.admit.RequestKind;

/// Hands each call to one of two executors by its kind: by default reads to one and writes to the other, so that
/// neither waits behind the other.
public class SplitExecutor implements CallExecutor {

    final CallExecutor first;
    final CallExecutor second;
    private final Set<RequestKind> ofSecond;

    public SplitExecutor(CallExecutor reads, CallExecutor writes) {
        this(reads, writes, Set.of(RequestKind.WRITE, RequestKind.BATCH));
    }

    SplitExecutor(CallExecutor first, CallExecutor second, Set<RequestKind> ofSecond) {
        this.first = first;
        this.second = second;
        this.ofSecond = ofSecond;
    }

    @Override
    public boolean submit(RunnableCall call) {
        return poolOf(call).submit(call);
    }

    @Override
    public final void force(RunnableCall call) {
        poolOf(call).force(call);
    }

    @Override
    public final boolean rangesWait() {
        return second.rangesWait();
    }

    @Override
    public final void measure(MetricSink sink) {
        first.measure(sink);
        second.measure(sink);
    }

    @Override
    public final boolean close() {
        boolean idle = first.close();
        return second.close() && idle;
    }

    private CallExecutor poolOf(RunnableCall call) {
        return ofSecond.contains(call.kind()) ? second : first;
    }
}
