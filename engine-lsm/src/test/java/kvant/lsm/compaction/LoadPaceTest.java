package kvant.lsm.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// When a merge rests, and for how long.
class LoadPaceTest {

    private static final long LOOK = LoadPace.LOOK_NANOS;
    private static final long SHARE = (long) (LOOK * LoadPace.FREE_SHARE);

    private long nowNanos = 7;
    private long cpuNanos = 3;
    private final LoadPace pace = new LoadPace(() -> nowNanos, () -> cpuNanos);

    @Test
    void restsForAsLongAsItHasWorkedWhenOthersWantedTheCore() {
        work(LOOK, SHARE - 1);
        assertThat(pace.restNanos(0)).isEqualTo(LOOK);
    }

    @Test
    void doesNotRestOnAnIdleMachine() {
        work(LOOK, SHARE);
        assertThat(pace.restNanos(0)).isZero();
        work(100 * LOOK, 100 * LOOK);
        assertThat(pace.restNanos(0)).isZero();
    }

    @Test
    void restsTheLessTheMoreUrgentMergingIs() {
        work(LOOK, 0);
        assertThat(pace.restNanos(0.75)).isEqualTo(LOOK / 4);
        nowNanos += LOOK / 4;
        work(LOOK, 0);
        assertThat(pace.restNanos(1)).isZero();
    }

    @Test
    void looksNowAndThenOnly() {
        work(LOOK - 1, 0);
        assertThat(pace.restNanos(0)).isZero();
        work(1, 0);
        assertThat(pace.restNanos(0)).isEqualTo(LOOK);
        nowNanos += LOOK; // the rest
        work(LOOK - 1, 0);
        assertThat(pace.restNanos(0)).as("what it rested is no work").isZero();
    }

    @Test
    void aLongWaitForTheDiskIsNotRepaidWithALongRest() {
        work(1_000 * LOOK, 0);
        assertThat(pace.restNanos(0)).isEqualTo(LoadPace.MAX_REST_NANOS);
    }

    @Test
    void doesNotRestWhereNobodyKnowsItsTime() {
        LoadPace unknown = new LoadPace(() -> nowNanos, () -> -1);
        nowNanos += LOOK;
        assertThat(unknown.restNanos(0)).isZero();
    }

    @Test
    void urgencyIsFullAtHalfOfWhatSlowsWritesDown() {
        MergeUrgency urgency = MergeUrgency.before(20, 1_000);
        assertThat(urgency.of(0, 0)).isZero();
        assertThat(urgency.of(4, 0)).isEqualTo(0.4);
        assertThat(urgency.of(4, 450)).isEqualTo(0.9);
        assertThat(urgency.of(10, 0)).isEqualTo(1);
        assertThat(urgency.of(0, 500)).isEqualTo(1);
        assertThat(urgency.of(36, 1_000)).isEqualTo(1);
        assertThat(MergeUrgency.before(1, 1).of(1, 0)).isEqualTo(1);
        assertThatThrownBy(() -> new MergeUrgency(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private void work(long nanos, long ofThemOnACore) {
        nowNanos += nanos;
        cpuNanos += ofThemOnACore;
    }
}
