package kvant.lsm.compaction;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.LongSupplier;

/// The pace of a merge that gives way to requests while there is little to merge. A thread that was on a core for
/// only a part of its time competes with others, for cores or for the disk. Then it rests, at most for as long as it
/// has worked; the more urgent merging is, the shorter the rest. On an idle machine it does not rest.
///
///     works 5 ms, was on a core for 2 ms -> rests 5 ms * (1 - urgency)
///     works 5 ms, was on a core for 5 ms -> continues
///
/// Belongs to one merge.
public final class LoadPace {

    /// Interval of checks, because each costs a system call.
    static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    /// Long syncs are not repaid with as long rests.
    static final long MAX_REST_NANOS = Duration.ofMillis(50).toNanos();

    /// Share of the time on a core above which a thread had no competitor.
    static final double FREE_SHARE = 0.8;

    // Constant.
    private final LongSupplier nanoClock;
    private final LongSupplier cpuClock;

    // One thread.
    private long sinceNanos;
    private long sinceCpuNanos;

    /// For the calling thread.
    public LoadPace() {
        this(System::nanoTime, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
    }

    /// @param cpuClock time that the thread was on a core; -1 if unknown
    LoadPace(LongSupplier nanoClock, LongSupplier cpuClock) {
        this.nanoClock = nanoClock;
        this.cpuClock = cpuClock;
        this.sinceNanos = nanoClock.getAsLong();
        this.sinceCpuNanos = cpuClock.getAsLong();
    }

    /// Computes the next rest; called now and then during the merge.
    ///
    /// @param urgency of merging, from 0 to 1
    /// @return duration of the rest; 0 for none
    public long restNanos(double urgency) {
        long nowNanos = nanoClock.getAsLong();
        long workedNanos = nowNanos - sinceNanos;
        if (workedNanos < LOOK_NANOS) {
            return 0;
        }
        long cpuNanos = cpuClock.getAsLong();
        boolean isFree = cpuNanos < 0 || cpuNanos - sinceCpuNanos >= workedNanos * FREE_SHARE;
        long restNanos = isFree ? 0 : (long) (Math.min(workedNanos, MAX_REST_NANOS) * (1 - urgency));
        sinceNanos = nowNanos + restNanos;
        sinceCpuNanos = cpuNanos;
        return restNanos;
    }
}
