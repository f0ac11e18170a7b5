package kvant.bench.cluster;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// One stretch of load on a bare driver with the rules of `kvant load`: so many requests in flight, which stand for
/// connections. In an open loop the i-th request is due at `i/rate`, waits while there is no room, and is charged from
/// when it was due; in a closed loop a request follows each answer, from the thread that has read it.
final class DriverLoad {

    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long DRAIN_NANOS = 10 * NANOS_PER_SECOND;
    private static final long DRAIN_LOOK_NANOS = 1_000_000;

    /// The kernel may wake a thread so much later than asked; for the rest it looks at the clock.
    private static final long LATE_NANOS = 60_000;

    // Constant.
    private final Supplier<CompletionStage<Boolean>> request;
    private final int most;
    private final double rate;
    private final long beginNanos = System.nanoTime();
    private final long measureNanos;
    private final long endNanos;

    // Atomic.
    private final Semaphore room;
    private final Histogram response = new ConcurrentHistogram(HIGHEST_NANOS, 3);
    private final LongAdder sent = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /// @param request sends one; false for an answer that is not as it should be
    /// @param most in flight
    /// @param rate requests a second, or 0 for a closed loop
    DriverLoad(
            Supplier<CompletionStage<Boolean>> request, int most, double rate, double warmUpSeconds, double seconds) {
        this.request = request;
        this.most = most;
        this.rate = rate;
        this.room = new Semaphore(most);
        this.measureNanos = beginNanos + (long) (warmUpSeconds * NANOS_PER_SECOND);
        this.endNanos = measureNanos + (long) (seconds * NANOS_PER_SECOND);
    }

    /// Runs it to its last answer.
    DriverLoad run() {
        if (rate == 0) {
            for (int i = 0; i < most; i++) {
                send(System.nanoTime());
            }
            sleepUntil(endNanos);
        } else {
            long due = beginNanos;
            for (long i = 1; due < endNanos; i++) {
                sleepUntil(due);
                room.acquireUninterruptibly();
                send(due);
                due = beginNanos + (long) (i / rate * NANOS_PER_SECOND);
            }
        }
        long deadlineNanos = System.nanoTime() + DRAIN_NANOS;
        while (unanswered() > 0 && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(DRAIN_LOOK_NANOS);
        }
        return this;
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            if (left > LATE_NANOS) {
                LockSupport.parkNanos(left - LATE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private void send(long dueNanos) {
        sent.increment();
        try {
            request.get().whenComplete((good, _) -> {
                ended(dueNanos, good != null && good);
                if (rate == 0 && System.nanoTime() < endNanos) {
                    send(System.nanoTime());
                }
            });
        } catch (RuntimeException _) {
            ended(dueNanos, false);
        }
    }

    private void ended(long dueNanos, boolean good) {
        long now = System.nanoTime();
        answered.increment();
        failed.add(good ? 0 : 1);
        // A closed loop counts the answers that come in the time, an open one those that were due in it.
        if (rate > 0 ? dueNanos >= measureNanos : now >= measureNanos && now < endNanos) {
            response.recordValue(Math.min(now - dueNanos, HIGHEST_NANOS));
        }
        room.release();
    }

    /// Of the measured time.
    Histogram response() {
        return response;
    }

    double answersPerSecond() {
        return response.getTotalCount() * (double) NANOS_PER_SECOND / (endNanos - measureNanos);
    }

    /// Warm-up included.
    long sent() {
        return sent.sum();
    }

    long failures() {
        return failed.sum() + unanswered();
    }

    private long unanswered() {
        return sent.sum() - answered.sum();
    }
}
