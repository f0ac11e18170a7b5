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

    // Atomic.
    private volatile long startAt = NEVER;
    private volatile long measureFrom = NEVER;
    private volatile long endAt = NEVER;
    private volatile long drainUntil = NEVER;
    private volatile boolean cancelled;
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

    final CountDownLatch connected;
    final CountDownLatch finished;

    Control(int loops) {
        connected = new CountDownLatch(loops);
        finished = new CountDownLatch(loops);
    }

    long startAt() {
        return startAt;
    }

    void start(long at) {
        startAt = at;
    }

    long measureFrom() {
        return measureFrom;
    }

    /// Requests that are due from then on are measured.
    void measure(long from) {
        measureFrom = from;
    }

    long endAt() {
        return endAt;
    }

    long drainUntil() {
        return drainUntil;
    }

    /// Requests that are due from `at` on are none; those before may take until `until`.
    void end(long at, long until) {
        drainUntil = until;
        endAt = at;
    }

    /// Ends without a start.
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /// A loop cannot go on; the first reason counts.
    void fail(Throwable cause) {
        fault.compareAndSet(null, cause);
        cancelled = true;
    }

    @Nullable
    Throwable fault() {
        return fault.get();
    }
}
