package kvant.bench.cluster;

import java.util.ArrayDeque;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// One stretch of load with the rules of `kvant load`: so many slots with one request in flight each, which stand for
/// connections. In an open loop the i-th request is due at `i/rate` in slot `i mod slots`, waits there while the slot
/// is busy, and is charged from when it was due; in a closed loop a slot sends its next request when it has its
/// answer.
final class Slots {

    private static final long HIGHEST_NANOS = 60_000_000_000L;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long DRAIN_NANOS = 10 * NANOS_PER_SECOND;

    // Constant.
    private final Function<SplittableRandom, CompletionStage<Boolean>> request;
    private final Slot[] slots;
    private final double rate;
    private final long beginNanos;
    private final long measureNanos;
    private final long endNanos;
    private final Histogram response = new ConcurrentHistogram(HIGHEST_NANOS, 3);

    // Guarded by this.
    private long sent;
    private long answered;
    private long measured;
    private long failed;

    /// @param request sends one; false for an answer that is not as it should be
    /// @param rate requests a second, or 0 for a closed loop
    Slots(
            Function<SplittableRandom, CompletionStage<Boolean>> request,
            int slots,
            double rate,
            long warmUpNanos,
            long nanos) {
        this.request = request;
        this.rate = rate;
        this.slots = new Slot[slots];
        for (int i = 0; i < slots; i++) {
            this.slots[i] = new Slot(i);
        }
        this.beginNanos = System.nanoTime();
        this.measureNanos = beginNanos + warmUpNanos;
        this.endNanos = measureNanos + nanos;
    }

    /// Runs it to its last answer.
    void run() {
        if (rate == 0) {
            for (Slot slot : slots) {
                slot.due(System.nanoTime());
            }
            sleepUntil(endNanos);
        } else {
            for (long i = 0; ; i++) {
                long due = beginNanos + (long) (i / rate * NANOS_PER_SECOND);
                if (due >= endNanos) {
                    break;
                }
                sleepUntil(due);
                slots[(int) (i % slots.length)].due(due);
            }
        }
        long deadlineNanos = System.nanoTime() + DRAIN_NANOS;
        while (underWay() > 0 && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// One line of JSON. Micros.
    synchronized String json() {
        return String.format(
                Locale.ROOT,
                "{\"requestsWithWarmup\":%d,\"answered\":%d,\"errors\":%d,\"unanswered\":%d,\"rate\":%.1f,"
                        + "\"p50Micros\":%.1f,\"p99Micros\":%.1f,\"p999Micros\":%.1f,\"maxMicros\":%.1f}",
                sent,
                measured,
                failed,
                sent - answered,
                measured * (double) NANOS_PER_SECOND / (endNanos - measureNanos),
                response.getValueAtPercentile(50) / 1e3,
                response.getValueAtPercentile(99) / 1e3,
                response.getValueAtPercentile(99.9) / 1e3,
                response.getMaxValue() / 1e3);
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private synchronized long underWay() {
        return sent - answered;
    }

    private synchronized void began() {
        sent++;
    }

    private synchronized void ended(long dueNanos, boolean good) {
        long now = System.nanoTime();
        answered++;
        if (!good) {
            failed++;
        }
        // A closed loop counts the answers that come in the time, an open one those that were due in it.
        if (rate > 0 ? dueNanos >= measureNanos : now >= measureNanos && now < endNanos) {
            measured++;
            response.recordValue(Math.min(now - dueNanos, HIGHEST_NANOS));
        }
    }

    /// Guarded by itself.
    private final class Slot {

        private final SplittableRandom random;
        private final ArrayDeque<Long> waiting = new ArrayDeque<>();
        private boolean busy;

        Slot(int number) {
            random = new SplittableRandom(number);
        }

        void due(long dueNanos) {
            synchronized (this) {
                if (busy) {
                    waiting.add(dueNanos);
                    return;
                }
                busy = true;
            }
            send(dueNanos);
        }

        private void send(long dueNanos) {
            began();
            CompletionStage<Boolean> answer;
            try {
                answer = request.apply(random);
            } catch (RuntimeException _) {
                ended(dueNanos, false);
                next();
                return;
            }
            answer.whenComplete((good, _) -> {
                ended(dueNanos, good != null && good);
                next();
            });
        }

        private void next() {
            long now = System.nanoTime();
            long dueNanos = now;
            synchronized (this) {
                Long first = waiting.poll();
                if (first != null) {
                    dueNanos = first;
                } else if (rate > 0 || now >= endNanos) {
                    busy = false;
                    return;
                }
            }
            send(dueNanos);
        }
    }
}
