package kvant.server.service;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The slowest requests of each of the last minutes, of one event loop.
///
/// The loop asks and keeps; others read. Bounded: so many requests of so many minutes.
final class SlowLog {

    static final int PER_MINUTE = 10;
    static final int MINUTES = 10;
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Comparator<SlowRequest> SLOWEST_LAST = Comparator.comparingLong(SlowRequest::totalNanos);

    // Owned by the loop.
    private long minuteEndsNanos = System.nanoTime() + MINUTE_NANOS;
    private long leastNanos;

    // Guarded by this.
    private final ArrayDeque<List<SlowRequest>> minutes = new ArrayDeque<>();

    SlowLog() {
        minutes.add(new ArrayList<>());
    }

    /// Loop only: whether a request of this length belongs here.
    boolean isSlow(long totalNanos, long nowNanos) {
        if (nowNanos - minuteEndsNanos >= 0) {
            turnPage(nowNanos);
        }
        return totalNanos > leastNanos;
    }

    /// Loop only.
    synchronized void keep(SlowRequest request) {
        List<SlowRequest> minute = minutes.getLast();
        minute.add(request);
        minute.sort(SLOWEST_LAST);
        if (minute.size() > PER_MINUTE) {
            minute.removeFirst();
        }
        if (minute.size() == PER_MINUTE) {
            leastNanos = minute.getFirst().totalNanos();
        }
    }

    synchronized List<SlowRequest> all() {
        List<SlowRequest> all = new ArrayList<>();
        minutes.forEach(all::addAll);
        return all;
    }

    private synchronized void turnPage(long nowNanos) {
        minuteEndsNanos = nowNanos + MINUTE_NANOS;
        leastNanos = 0;
        minutes.add(new ArrayList<>());
        if (minutes.size() > MINUTES) {
            minutes.removeFirst();
        }
    }
}
