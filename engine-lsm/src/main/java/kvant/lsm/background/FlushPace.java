package kvant.lsm.background;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Has a flush give way to requests while there is time for it: it works for a moment and rests for nine, so that it
/// takes a tenth of a core instead of all of one. It is done before the active memtable is half full, as far as it can
/// be: it rests only while its share of the work is ahead of the share of that half which has been filled meanwhile.
///
///     active memtable    |----filled---->         half           full
///     flush              |----written--------->   done
///
/// While nobody writes it does not rest: for a store that is idle nothing is gained.
///
/// Belongs to one flush.
final class FlushPace {

    /// So long it works before it rests, at least.
    static final long WORK_NANOS = Duration.ofMillis(1).toNanos();

    /// For each nanosecond of work.
    static final int RESTS = 9;

    /// Long syncs are not repaid with as long rests, and what it hears of meanwhile it hears of soon.
    static final long MAX_REST_NANOS = Duration.ofMillis(20).toNanos();

    // Constant.
    private final LongSupplier nanoClock;
    private final long sealedBytes;
    private final long activeBytesAtStart;
    private final long roomBytes;

    // One thread.
    private long writtenBytes;
    private long sinceNanos;
    private int lastActiveCount;

    /// @param sealedBytes memory of what is flushed
    /// @param activeBytes memory of the memtable that is being filled, as it is now
    /// @param activeCount its records
    FlushPace(long sealedBytes, long activeBytes, int activeCount, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.sealedBytes = Math.max(1, sealedBytes);
        this.activeBytesAtStart = activeBytes;
        this.roomBytes = sealedBytes / 2 - activeBytes;
        this.lastActiveCount = activeCount;
        this.sinceNanos = nanoClock.getAsLong();
    }

    /// Asked for now and then while work goes on.
    ///
    /// @param bytes of tables that were written since the call before, which take less room than they had in memory
    /// @param activeBytes memory of the memtable that is being filled
    /// @param activeCount its records
    /// @param mayRest false where somebody waits for the flush, or is about to
    /// @return how long to rest now; 0 for not at all
    long restNanos(long bytes, long activeBytes, int activeCount, boolean mayRest) {
        writtenBytes += bytes;
        long nowNanos = nanoClock.getAsLong();
        long workedNanos = nowNanos - sinceNanos;
        if (workedNanos < WORK_NANOS) {
            return 0;
        }
        boolean somebodyWrites = activeCount != lastActiveCount;
        lastActiveCount = activeCount;
        if (!mayRest || !somebodyWrites || !isAhead(activeBytes)) {
            return 0;
        }
        long restNanos = Math.min(workedNanos * RESTS, MAX_REST_NANOS);
        sinceNanos = nowNanos + restNanos;
        return restNanos;
    }

    private boolean isAhead(long activeBytes) {
        double done = Math.min(1, (double) writtenBytes / sealedBytes);
        return activeBytes - activeBytesAtStart < done * roomBytes;
    }
}
