package kvant.server.execute;

import kvant.server.admit.AdmissionOptions;

/// The pool of ranges: as the other one, but its workers begin no more ranges than may be under way, and give way to
/// event loops.
///
/// What is begun faster than it is finished is finished ever later: a worker that finds no room among the ranges waits
/// for it ([RangesUnderWay]), and meanwhile serves rounds of those that are under way alone.
public final class RangePool extends PoolExecutor {

    private final RangesUnderWay ranges;

    private RangePool(String name, PoolOptions options, AdmissionOptions admission, RangesUnderWay ranges) {
        super(name, options, admission);
        this.ranges = ranges;
    }

    /// @param name of the threads
    /// @param ranges what bounds the calls that are under way
    public static RangePool started(
            String name, PoolOptions options, AdmissionOptions admission, RangesUnderWay ranges) {
        RangePool pool = new RangePool(name, options, admission, ranges);
        pool.start();
        return pool;
    }

    /// Were event loops to wait for these workers, neither batches nor refusals would leave in time.
    @Override
    void workerBegins() {
        Niceness.raise(Niceness.BEHIND_EVENT_LOOPS);
    }

    @Override
    public boolean rangesWait() {
        return waiting() > 0;
    }

    @Override
    boolean hasRoom() {
        return isClosed() || !ranges.isFull();
    }

    @Override
    boolean awaitRoom() {
        if (!hasRoom()) {
            ranges.awaitRoom(() -> isClosed() || hasForced());
        }
        return hasRoom();
    }

    /// Workers that wait for room among the ranges do not hear of a nudge.
    @Override
    void wakeWorkers() {
        super.wakeWorkers();
        ranges.wake();
    }
}
