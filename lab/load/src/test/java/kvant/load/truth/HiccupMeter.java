package kvant.load.truth;

import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// The lateness with which this machine wakes a thread that sleeps for a millisecond, again and again (the idea is that
/// of jHiccup). Where others use the machine, no clock on it can be held to less than that.
final class HiccupMeter implements AutoCloseable {

    private static final long SLEEP_NANOS = 1_000_000;

    private final Histogram lateness = new ConcurrentHistogram(3);
    private final Thread thread = Thread.ofPlatform().name("hiccups").daemon().unstarted(this::measure);
    private volatile boolean stopped;

    static HiccupMeter start() {
        HiccupMeter meter = new HiccupMeter();
        meter.thread.start();
        return meter;
    }

    private void measure() {
        while (!stopped) {
            long before = System.nanoTime();
            LockSupport.parkNanos(SLEEP_NANOS);
            lateness.recordValue(Math.max(0, System.nanoTime() - before - SLEEP_NANOS));
        }
    }

    long latenessNanos(double percentile) {
        return lateness.getValueAtPercentile(percentile);
    }

    @Override
    public void close() {
        stopped = true;
    }
}
