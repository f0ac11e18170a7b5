package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The bound, and who is let in beyond it.
class RangesUnderWayTest {

    private static final int MOST = 3;
    private static final int ROUNDS_FOR_A_PASS = 32;
    private static final int HARD_BOUND = 4 * MOST;

    private final RangesUnderWay ranges = new RangesUnderWay(MOST);

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
        pass(ROUNDS_FOR_A_PASS);
        assertThat(ranges.isFull()).isFalse();
    }

    @Test
    void notBeyondTheHarderBound() {
        for (int i = MOST; i < HARD_BOUND; i++) {
            pass(ROUNDS_FOR_A_PASS);
            assertThat(ranges.isFull()).as("with %d", i).isFalse();
            ranges.begun();
        }
        pass(10 * ROUNDS_FOR_A_PASS);
        assertThat(ranges.isFull()).isTrue();
    }

    /// Rounds of those that are under way.
    private void pass(int rounds) {
        for (int i = 0; i < rounds; i++) {
            ranges.ended();
            ranges.resumed();
        }
    }
}
