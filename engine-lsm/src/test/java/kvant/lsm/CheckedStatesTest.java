package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kvant.lsm.sim.SimStorage;
import org.junit.jupiter.api.Test;

/// A state counts as legal only when its check has come to its end.
class CheckedStatesTest {

    private final CheckedStates states = new CheckedStates(new SimStorage());

    @Test
    void aCheckThatRanOutOfMemoryHasFailed() {
        boolean passed = states.check("a power cut", () -> {
            throw new OutOfMemoryError("made by this test");
        });

        assertThat(passed).isFalse();
        assertThat(states.hasFailed()).isTrue();
        assertThatThrownBy(states::throwFailure)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("a power cut")
                .hasCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void whatPassesLaterDoesNotMakeUpForIt() {
        states.check("a power cut", () -> {
            throw new AssertionError("a write is missing");
        });

        assertThat(states.check("a kill", () -> {})).isTrue();
        assertThat(states.count()).isEqualTo(2);
        assertThatThrownBy(states::throwFailure).hasMessageStartingWith("a power cut");
    }

    @Test
    void nothingIsThrownWhereAllHavePassed() {
        assertThat(states.check("a kill", () -> {})).isTrue();
        assertThat(states.hasFailed()).isFalse();
        states.throwFailure();
    }
}
