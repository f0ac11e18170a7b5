package kvant.lsm.commit;

import java.time.Duration;
import kvant.lsm.store.MemtableRoom;

/// The rate limit of writes while flush and compaction lag behind: none at first, then a rate that falls with the
/// room that is left before writes would have to stop. A pure function: it waits for nothing and remembers nothing.
///
///     rate
///          *           |               |
///           *          |               |  stop: wait at most maxStall, then fail as busy
///            **        |               |
///     0        ********|***************|---- lag
///                    slow             stop
///
/// At half the room, the rest of it would be used up in half of the time `drain` if nothing is merged meanwhile.
/// Since the rate falls with the room, one merge may take several times as long before writes stop. A group waits for
/// its bytes, so that a group of few small writes hardly waits.
///
/// @param drain approximate duration of the longest merge of level 0; memtables are flushed in much less, and a
///     backlog of bytes is merged in much more
/// @param maxDelay longest delay of a group
/// @param maxStall writes that have been stopped for longer fail instead of waiting
/// @param slowRuns runs of level 0 from which writes are slowed down
/// @param stopRuns runs at which they stop
/// @param slowDebtBytes bytes waiting to be merged from which writes are slowed down
/// @param stopDebtBytes bytes at which they stop
public record WriteThrottle(
        Duration drain,
        Duration maxDelay,
        Duration maxStall,
        int slowRuns,
        int stopRuns,
        long slowDebtBytes,
        long stopDebtBytes) {

    public static final WriteThrottle DEFAULT = new WriteThrottle(
            Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(1), 20, 36, 16L << 30, 64L << 30);

    /// Memtables slow writes down from this share of the room for them on.
    static final double SLOW_SHARE = 0.6;

    public WriteThrottle {
        if (drain.isNegative() || maxDelay.isNegative() || maxStall.isNegative()) {
            throw new IllegalArgumentException("times are at least 0");
        }
        if (slowRuns < 1 || stopRuns <= slowRuns || slowDebtBytes < 1 || stopDebtBytes <= slowDebtBytes) {
            throw new IllegalArgumentException("writes slow down from 1 on, and before they stop");
        }
    }

    /// The lag of a cause: 0 where writes need not slow down, 1 and more where they have to stop.
    ///
    /// @param memtableShare used share of the room for memtables
    double lag(StallCause cause, double memtableShare, int levelZeroRuns, long debtBytes) {
        return switch (cause) {
            case MEMTABLES -> between(memtableShare, SLOW_SHARE, 1);
            case LEVEL_ZERO -> between(levelZeroRuns, slowRuns, stopRuns);
            case COMPACTION_DEBT -> between(debtBytes, slowDebtBytes, stopDebtBytes);
        };
    }

    /// The delay of one group, from 0 to [#maxDelay].
    ///
    /// @param bytes of the group
    long delayNanos(StallCause cause, double lag, long bytes, MemtableRoom room) {
        double bounded = Math.clamp(lag, 0, 1);
        double share = bytes / roomBytes(cause, room);
        double nanos = drain.toNanos() * cause.patience() * share * bounded / (1 - bounded);
        return (long) Math.min(maxDelay.toNanos(), nanos);
    }

    /// The bytes that may be written between slow and stop.
    private double roomBytes(StallCause cause, MemtableRoom room) {
        return switch (cause) {
            case MEMTABLES -> (1 - SLOW_SHARE) * room.memtableBytes() * (room.maxSealed() + 1);
            case LEVEL_ZERO -> (double) (stopRuns - slowRuns) * room.memtableBytes();
            case COMPACTION_DEBT -> stopDebtBytes - slowDebtBytes;
        };
    }

    private static double between(double value, double slow, double stop) {
        return Math.max(0, (value - slow) / (stop - slow));
    }

    /// The causes for slowing down or stopping writes.
    enum StallCause {
        MEMTABLES("memtables", 0.05, "full memtables wait for their flush"),
        LEVEL_ZERO("level-zero", 1, "runs of tables wait for their compaction"),
        COMPACTION_DEBT("compaction-debt", 30, "bytes of tables wait for their compaction");

        private final String label;
        private final double patience;
        private final String explanation;

        StallCause(String label, double patience, String explanation) {
            this.label = label;
            this.patience = patience;
            this.explanation = explanation;
        }

        /// For metrics and events.
        String label() {
            return label;
        }

        /// Its expected duration, relative to a merge of level 0.
        double patience() {
            return patience;
        }

        /// For a person.
        String explanation() {
            return explanation;
        }
    }
}
