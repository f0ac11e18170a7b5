package kvant.load.truth;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Delay laws whose percentiles are known without measuring.
public final class Laws {

    private Laws() {}

    /// Sleeps until a time, to the precision of the machine's timers.
    private static void until(long deadline) {
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /// Every answer takes the same.
    public static TestServer.Behaviour fixed(long delayNanos) {
        return exchange -> {
            until(exchange.arrivedNanos() + delayNanos);
            exchange.ok();
        };
    }

    /// One in so many takes long, the others short.
    public static TestServer.Behaviour bimodal(long shortNanos, long longNanos, int oneIn) {
        return exchange -> {
            boolean slow = exchange.number() % oneIn == 0;
            until(exchange.arrivedNanos() + (slow ? longNanos : shortNanos));
            exchange.ok();
        };
    }

    /// Answers at once, but for one stall, in which nothing is answered at all.
    ///
    /// @param afterNanos from the first request to the stall
    public static TestServer.Behaviour stall(long afterNanos, long lengthNanos) {
        AtomicLong first = new AtomicLong(Long.MIN_VALUE);
        return exchange -> {
            first.compareAndSet(Long.MIN_VALUE, exchange.arrivedNanos());
            long from = first.get() + afterNanos;
            long now = System.nanoTime();
            if (now >= from && now < from + lengthNanos) {
                until(from + lengthNanos);
            }
            exchange.ok();
        };
    }

    /// The response time of an open schedule at a percentile, where a stall takes a share of the run: those that were
    /// due in it waited for its end, uniformly between nothing and all of it.
    ///
    /// @param percentile from 0 to 100
    /// @param runNanos length of the run
    public static double stallPercentile(double percentile, long stallNanos, long runNanos) {
        double stalled = (double) stallNanos / runNanos;
        double into = percentile / 100 - (1 - stalled);
        return into <= 0 ? 0 : stallNanos * into / stalled;
    }

    public static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
