package kvant.server.execute;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The bound, and who is let in beyond it.
class ScanLimiterTest {

    private static final int MOST = 3;
    private static final int ROUNDS_FOR_A_PASS = 32;

    private final ScanLimiter ranges = new ScanLimiter(MOST);

    @BeforeEach
    void fill() {
        for (int i = 0; i < MOST; i++) {
            assertThat(ranges.isFull()).isFalse();
            ranges.begun();
        }
    }

    @Test
    void aRangeThatWaitsForItsClientGivesItsPlaceAway() {
        assertThat(ranges.isFull()).isTrue();
        ranges.ended();
        assertThat(ranges.isFull()).isFalse();
        ranges.resumed();
        assertThat(ranges.isFull()).isTrue();
    }

    @Test
    void longOnesLetOneInAfterSomeRounds() {
        pass(ROUNDS_FOR_A_PASS - 1);
        assertThat(ranges.isFull()).as("a round too early").isTrue();
        pass(1);
        assertThat(ranges.isFull()).isFalse();
        ranges.begun();
        assertThat(ranges.isFull()).as("one, not all").isTrue();
    }

    @Test
    void theMoreThereAreTheLaterOneIsLetIn() {
        for (int i = MOST; i < 10 * MOST; i++) {
            int rounds = (ROUNDS_FOR_A_PASS * i + MOST - 1) / MOST;
            pass(rounds - 1);
            assertThat(ranges.isFull()).as("with %d, a round too early", i).isTrue();
            pass(1);
            assertThat(ranges.isFull()).as("with %d", i).isFalse();
            ranges.begun();
        }
    }

    @Test
    void rangesNeverRunOnTheEventLoop() {
        PoolOptions pool = PoolOptions.blocking(1).with(p -> p.onFull = PoolOptions.OnFull.CALLER);
        assertThat(pool.forRanges(2).onFull()).isEqualTo(PoolOptions.OnFull.REJECT);
    }

    /// Rounds of those that are under way.
    private void pass(int rounds) {
        for (int i = 0; i < rounds; i++) {
            ranges.ended();
            ranges.resumed();
        }
    }
}
