package kvant.lsm.commit;

import java.time.Duration;

/// How much writes are slowed down while flush and compaction lag behind: not at all at first, then by a delay for
/// each commit group that grows with the square of how far they lag, and beyond all bounds where writes would have to
/// stop, so that they find the pace that can be kept before that. A pure function: it waits for nothing and remembers
/// nothing.
///
///     delay
///     maxDelay |                    *|  stop: wait at most maxStall, then fail as busy
///              |                 *   |
///              |            *        |
///            0 *******---------------+---- lag
///                     slow          stop
///
/// @param maxDelay longest delay of a group; about a twentieth of it half-way between slow and stop
/// @param maxStall writes that have been stopped for longer fail instead of waiting
/// @param slowRuns from so many runs of level 0 on, writes are slowed down
/// @param stopRuns at so many they stop
/// @param slowDebtBytes from so many bytes that wait to be merged on, writes are slowed down
/// @param stopDebtBytes at so many they stop
public record WriteThrottle(
        Duration maxDelay, Duration maxStall, int slowRuns, int stopRuns, long slowDebtBytes, long stopDebtBytes) {

    public static final WriteThrottle DEFAULT =
            new WriteThrottle(Duration.ofSeconds(1), Duration.ofSeconds(1), 20, 36, 16L << 30, 64L << 30);

    /// Memtables slow writes down from this share of the room for them on.
    static final double SLOW_SHARE = 0.6;

    /// Small, so that short lags are hardly noticed.
    private static final double STEEPNESS = 0.1;

    public WriteThrottle {
        if (maxDelay.isNegative() || maxStall.isNegative()) {
            throw new IllegalArgumentException("times are at least 0");
        }
        if (slowRuns < 1 || stopRuns <= slowRuns || slowDebtBytes < 1 || stopDebtBytes <= slowDebtBytes) {
            throw new IllegalArgumentException("writes slow down from 1 on, and before they stop");
        }
    }

    /// How far something lags: 0 where writes need not slow down, 1 and more where they have to stop.
    ///
    /// @param memtableShare of the room for memtables that is taken
    double lag(StallCause cause, double memtableShare, int levelZeroRuns, long debtBytes) {
        return switch (cause) {
            case MEMTABLES -> between(memtableShare, SLOW_SHARE, 1);
            case LEVEL_ZERO -> between(levelZeroRuns, slowRuns, stopRuns);
            case COMPACTION_DEBT -> between(debtBytes, slowDebtBytes, stopDebtBytes);
        };
    }

    /// The delay of one group, from 0 to [#maxDelay].
    long delayNanos(double lag) {
        double bounded = Math.clamp(lag, 0, 1);
        double share = STEEPNESS * bounded * bounded / (1 - bounded);
        return (long) (maxDelay.toNanos() * Math.min(1, share));
    }

    private static double between(double value, double slow, double stop) {
        return Math.max(0, (value - slow) / (stop - slow));
    }
}
