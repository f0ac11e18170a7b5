package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostBoundTest {

    @ParameterizedTest
    @ValueSource(strings = {"199ms", "61s", "0s", "on", "", "-1s"})
    void aSliceIsATimeThatCanBeWatchedAndThatARoundIsLongerThan(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> HostBound.parseSlice(text));
    }

    @Test
    void theBoundsOfASliceAreAllowedAndOffIsNone() {
        assertThat(HostBound.parseSlice("200ms")).isEqualTo(Duration.ofMillis(200));
        assertThat(HostBound.parseSlice("1m")).isEqualTo(Duration.ofMinutes(1));
        assertThat(HostBound.USUAL.withSlice(HostBound.parseSlice("off")).isInterleaved())
                .isFalse();
    }

    @Test
    void noTurnIsLongerThanASliceAndThereIsOneAtLeast() {
        HostBound bound = HostBound.USUAL.withSlice(Duration.ofSeconds(1));

        assertThat(bound.turns(Duration.ofMillis(2001))).isEqualTo(3);
        assertThat(bound.turns(Duration.ofMillis(2000))).isEqualTo(2);
        assertThat(bound.turns(Duration.ofMillis(300))).isEqualTo(1);
    }
}
