package kvant.lsm.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import kvant.lsm.commit.WriteThrottle.StallCause;
import kvant.lsm.store.MemtableRoom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriteThrottleTest {

    private static final MemtableRoom ROOM = new MemtableRoom(1 << 20, 2, 2 << 20);

    private final WriteThrottle throttle = new WriteThrottle(
            Duration.ofSeconds(20), Duration.ofMillis(100), Duration.ofSeconds(1), 10, 20, 1_000, 2_000);

    @Test
    void nothingIsDelayedBelowTheThresholds() {
        assertThat(throttle.lag(StallCause.MEMTABLES, WriteThrottle.SLOW_SHARE, 0, 0))
                .isZero();
        assertThat(throttle.lag(StallCause.LEVEL_ZERO, 1, 10, 0)).isZero();
        assertThat(throttle.lag(StallCause.COMPACTION_DEBT, 1, 0, 1_000)).isZero();
        assertThat(throttle.delayNanos(StallCause.LEVEL_ZERO, 0, 1 << 20, ROOM)).isZero();
    }

    @Test
    void eachCauseStopsWritesExactlyAtItsEnd() {
        assertThat(throttle.lag(StallCause.MEMTABLES, 1, 0, 0)).isEqualTo(1);
        assertThat(throttle.lag(StallCause.MEMTABLES, Math.nextDown(1.0), 0, 0)).isLessThan(1);
        assertThat(throttle.lag(StallCause.LEVEL_ZERO, 0, 20, 0)).isEqualTo(1);
        assertThat(throttle.lag(StallCause.LEVEL_ZERO, 0, 19, 0)).isLessThan(1);
        assertThat(throttle.lag(StallCause.COMPACTION_DEBT, 0, 0, 2_000)).isEqualTo(1);
        assertThat(throttle.lag(StallCause.COMPACTION_DEBT, 0, 0, 1_999)).isLessThan(1);
    }

    @Test
    void delaysGrowWithTheLagAndTheBytesAndNeverBeyondTheBound() {
        long last = 0;
        for (int runs = 11; runs < 20; runs++) {
            double lag = throttle.lag(StallCause.LEVEL_ZERO, 0, runs, 0);
            long nanos = throttle.delayNanos(StallCause.LEVEL_ZERO, lag, 1_000, ROOM);
            assertThat(nanos).isGreaterThan(last);
            assertThat(throttle.delayNanos(StallCause.LEVEL_ZERO, lag, 500, ROOM))
                    .as("for half of the bytes")
                    .isBetween(nanos / 2 - 1, nanos / 2 + 1);
            last = nanos;
        }
        for (double beyond : new double[] {1, 7}) {
            assertThat(throttle.delayNanos(StallCause.LEVEL_ZERO, beyond, 1_000, ROOM))
                    .isEqualTo(Duration.ofMillis(100).toNanos());
        }
    }

    /// Half-way to the stop, what is left is taken in half of the time that a merge is expected to take.
    @Test
    void theRateFollowsTheRoomThatIsLeft() {
        long roomBytes = 10 * ROOM.memtableBytes();
        WriteThrottle unbounded = unbounded();
        assertThat(unbounded.delayNanos(StallCause.LEVEL_ZERO, 0.5, roomBytes / 2, ROOM))
                .isEqualTo(unbounded.drain().toNanos() / 2);
    }

    /// However much there is to be written, and for whatever it waits.
    @ParameterizedTest
    @EnumSource
    void writesDoNotStopForAMergeThatTakesThreeTimesAsLong(StallCause cause) {
        WriteThrottle unbounded = unbounded();
        double roomBytes = switch (cause) {
            case MEMTABLES -> 0.4 * 3 * ROOM.memtableBytes();
            case LEVEL_ZERO -> 10.0 * ROOM.memtableBytes();
            case COMPACTION_DEBT -> 1_000_000;
        };
        long group = (long) (roomBytes / 1_000);
        double patience = unbounded.drain().toNanos() * cause.patience();
        double nanos = 0;
        double taken = 0;
        while (nanos < 3 * patience) {
            nanos += unbounded.delayNanos(cause, taken / roomBytes, group, ROOM);
            taken += group;
            assertThat(taken / roomBytes)
                    .as("after %.1f times", nanos / patience)
                    .isLessThan(1);
        }
        assertThat(taken / roomBytes).as("room is used").isGreaterThan(0.9);
    }

    private static WriteThrottle unbounded() {
        return new WriteThrottle(
                Duration.ofSeconds(20), Duration.ofHours(1), Duration.ofSeconds(1), 10, 20, 1_000_000, 2_000_000);
    }

    @Test
    void whatStopsBeforeItSlowsDownIsRefused() {
        assertThatThrownBy(() -> new WriteThrottle(Duration.ofSeconds(20), Duration.ZERO, Duration.ZERO, 20, 20, 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new WriteThrottle(Duration.ofSeconds(20), Duration.ofMillis(-1), Duration.ZERO, 1, 2, 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
