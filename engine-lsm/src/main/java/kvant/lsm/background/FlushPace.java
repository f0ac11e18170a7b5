package kvant.lsm.background;

import java.time.Duration;
import java.util.function.LongSupplier;

/// The pace of a flush, which gives way to requests while there is time: it works for a moment and rests for nine, so
/// that it takes a tenth of a core instead of a whole one. It aims to finish before the active memtable is half full:
/// it rests only while its share of the work is ahead of the filled share of that half.
///
///     active memtable    |----filled---->         half           full
///     flush              |----written--------->   done
///
/// It does not rest while no writes arrive: for an idle store a rest gains nothing.
///
/// Belongs to one flush.
final class FlushPace {

    /// Shortest work before a rest.
    static final long WORK_NANOS = Duration.ofMillis(1).toNanos();

    /// Nanoseconds of rest for each nanosecond of work.
    static final int RESTS = 9;

    /// Bounds the rest after a long sync, so that the flush reacts soon to changes meanwhile.
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

    /// @param sealedBytes memory of the memtable being flushed
    /// @param activeBytes present memory of the active memtable
    /// @param activeCount its records
    FlushPace(long sealedBytes, long activeBytes, int activeCount, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.sealedBytes = Math.max(1, sealedBytes);
        this.activeBytesAtStart = activeBytes;
        this.roomBytes = sealedBytes / 2 - activeBytes;
        this.lastActiveCount = activeCount;
        this.sinceNanos = nanoClock.getAsLong();
    }

    /// Computes the next rest; called now and then during the flush.
    ///
    /// @param bytes of tables written since the last call; they take less room than the records had in memory
    /// @param activeBytes memory of the active memtable
    /// @param activeCount its records
    /// @param mayRest false if the flush is waited for, or soon will be
    /// @return duration of the rest; 0 for none
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
