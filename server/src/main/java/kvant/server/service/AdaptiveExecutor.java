package kvant.server.service;

import kvant.engine.MetricSink;

/// Runs on the event loop what cannot block, and hands the rest to a pool.
///
///     get   --in memory------------------> answered on the loop, at once
///           --would block----------------> pool
///           --engine answers later-------> engine, answered through the mailbox
///     write -----------------------------> group commit, answered in batches through the mailbox
///     batch -----------------------------> pool, and from there to group commit
///     range, and each of its rounds -----> pool of their own
///
/// Where the engine answers later, the rounds of a range wait on virtual threads instead.
///
/// No hand-off for what is in memory, no stall for what is not. Workers that wait for a disk may be more than there are
/// cores; those of ranges keep a core busy, so that more of them would only keep the event loops from theirs, and give
/// way to event loops ([Niceness]).
final class AdaptiveExecutor implements CallExecutor {

    private final UseCases useCases;
    private final PoolExecutor pool;
    private final CallExecutor ranges;

    /// @param pool for what would block
    /// @param ranges for what keeps a core busy
    AdaptiveExecutor(UseCases useCases, PoolExecutor pool, CallExecutor ranges) {
        this.useCases = useCases;
        this.pool = pool;
        this.ranges = ranges;
    }

    @Override
    public boolean submit(Call call) {
        return switch (call.request()) {
            case Request.Get get -> {
                if (useCases.answersLater()) {
                    yield onLoop(call);
                }
                if (useCases.tryGet(call, get)) {
                    call.arrive();
                    yield true;
                }
                yield pool.submit(call);
            }
            case Request.Put _, Request.Delete _ -> onLoop(call);
            case Request.Scan _ -> ranges.submit(call);
            // A batch does not block, but reading a long one keeps a thread busy.
            case Request.Batch _, Request.Probe _, Request.Page _ -> pool.submit(call);
        };
    }

    /// For what never blocks: it is answered at once, or the engine delivers it.
    private boolean onLoop(Call call) {
        if (useCases.run(call, this)) {
            call.arrive();
        }
        return true;
    }

    @Override
    public void force(Call call) {
        (call.request() instanceof Request.Scan ? ranges : pool).force(call);
    }

    @Override
    public void measure(MetricSink sink) {
        pool.measure(sink);
        ranges.measure(sink);
    }

    @Override
    public void close() {
        pool.close();
        ranges.close();
    }
}
