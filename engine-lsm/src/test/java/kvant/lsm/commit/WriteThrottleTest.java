package kvant.lsm.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteThrottleTest {

    private final WriteThrottle throttle =
            new WriteThrottle(Duration.ofMillis(100), Duration.ofSeconds(1), 10, 20, 1_000, 2_000);

    @Test
    void nothingIsDelayedBelowTheThresholds() {
        assertThat(throttle.lag(StallCause.MEMTABLES, WriteThrottle.SLOW_SHARE, 0, 0))
                .isZero();
        assertThat(throttle.lag(StallCause.LEVEL_ZERO, 1, 10, 0)).isZero();
        assertThat(throttle.lag(StallCause.COMPACTION_DEBT, 1, 0, 1_000)).isZero();
        assertThat(throttle.delayNanos(0)).isZero();
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
    void delaysGrowSlowlyFirstAndNeverBeyondTheBound() {
        long last = 0;
        for (int runs = 11; runs < 20; runs++) {
            long nanos = throttle.delayNanos(throttle.lag(StallCause.LEVEL_ZERO, 0, runs, 0));
            assertThat(nanos).isGreaterThan(last);
            last = nanos;
        }
        assertThat(throttle.delayNanos(0.1)).isLessThan(Duration.ofMillis(100).toNanos() / 50);
        assertThat(throttle.delayNanos(1)).isEqualTo(Duration.ofMillis(100).toNanos());
        assertThat(throttle.delayNanos(7)).isEqualTo(Duration.ofMillis(100).toNanos());
    }

    @Test
    void whatStopsBeforeItSlowsDownIsRefused() {
        assertThatThrownBy(() -> new WriteThrottle(Duration.ZERO, Duration.ZERO, 20, 20, 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WriteThrottle(Duration.ofMillis(-1), Duration.ZERO, 1, 2, 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
