package kvant.load.loop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Shared state of the coordinator and its loops: when to start, what to measure, when to end.
///
/// All times are from `System.nanoTime()`, which does not wrap around on server JVMs. They are set ahead of time, so
/// that a loop that checks once per pass never sees one too late.
final class Control {

    /// The time is not set.
    static final long NEVER = Long.MAX_VALUE;

    // Volatile: common start time, start of the measurement, end of the schedule, latest end of the loops, and
    // immediate cancellation.
    volatile long startAt = NEVER;
    volatile long measureFrom = NEVER;
    volatile long endAt = NEVER;
    volatile long drainUntil = NEVER;
    volatile boolean cancelled;

    // Atomic.
    final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    final CountDownLatch connected;
    final CountDownLatch finished;

    Control(int loops) {
        connected = new CountDownLatch(loops);
        finished = new CountDownLatch(loops);
    }

    /// Ends the schedule at `at`. Requests that were due earlier may take until `until`.
    void end(long at, long until) {
        drainUntil = until;
        endAt = at;
    }

    /// Reports that a loop cannot continue; the first cause is kept.
    void fail(Throwable cause) {
        fault.compareAndSet(null, cause);
        cancelled = true;
    }
}
