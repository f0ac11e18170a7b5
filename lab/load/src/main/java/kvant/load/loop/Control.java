package kvant.load.loop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What the coordinator tells its loops, and they it: when to start, what to measure, when to end.
///
/// All times are of `System.nanoTime()`, which no JVM for servers lets wrap around. Times are set ahead of themselves,
/// so that a loop that looks once per pass never learns of one too late.
final class Control {

    /// No time is set.
    static final long NEVER = Long.MAX_VALUE;

    // Volatile: when all loops start, from when on requests are measured, when none is due any more, when to end at the
    // latest, and whether to end at once.
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

    /// Requests that are due from `at` on are none; those before may take until `until`.
    void end(long at, long until) {
        drainUntil = until;
        endAt = at;
    }

    /// A loop cannot go on; the first reason counts.
    void fail(Throwable cause) {
        fault.compareAndSet(null, cause);
        cancelled = true;
    }
}
