package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.result.ExperimentRecord.Question;
import org.junit.jupiter.api.Test;

/// Shares are written down as they were given, because a resumed run reads them again.
class HostBoundTest {

    @Test
    void eachShareIsWrittenDownAsItWasGiven() {
        for (int tenths = 10; tenths <= 1000; tenths++) {
            String given = tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + "%";

            assertThat(HostBound.parse(given)).as(given).isEqualTo(tenths / 1000.0);
            assertThat(HostBound.text(HostBound.parse(given))).isEqualTo(given);
            assertThat(Question.margin(Question.margin(given))).isEqualTo(given);
        }
    }

    @Test
    void withoutABoundItIsOff() {
        assertThat(HostBound.parse("off")).isNaN();
        assertThat(HostBound.text(Double.NaN)).isEqualTo("off");
    }

    @Test
    void howOftenAStepIsMeasuredAgainIsBounded() {
        assertThat(HostBound.parseAgain("0")).isZero();
        assertThat(HostBound.parseAgain("20")).isEqualTo(20);
        for (String given : new String[] {"21", "-1", "", "many"}) {
            assertThatThrownBy(() -> HostBound.parseAgain(given))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'" + given + "' is not a number from 0 to 20");
        }
    }

    @Test
    void anythingElseIsRefusedInALine() {
        for (String given : new String[] {"0.9%", "100.1%", "2.25%", "10", "", "never"}) {
            assertThatThrownBy(() -> HostBound.parse(given))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'" + given + "' is neither a share from 1% to 100% nor 'off'");
        }
    }

    @Test
    void aSliceThatIsTooShortToBeWatchedOrLongerThanAMinuteIsRefused() {
        for (String given : new String[] {"199ms", "61s", "0s", "on", "", "-1s"}) {
            assertThatThrownBy(() -> HostBound.parseSlice(given))
                    .as(given)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(HostBound.parseSlice("200ms")).isEqualTo(Duration.ofMillis(200));
        assertThat(HostBound.parseSlice("1m")).isEqualTo(Duration.ofMinutes(1));
        assertThat(new HostBound(0.1, 0, HostBound.parseSlice("off")).isInterleaved())
                .isFalse();
    }

    @Test
    void noTurnIsLongerThanASliceAndThereAreAsManyInEachOrder() {
        HostBound bound = new HostBound(0.1, 0, Duration.ofSeconds(1));

        assertThat(bound.turns(Duration.ofMillis(2001))).isEqualTo(4);
        assertThat(bound.turns(Duration.ofMillis(2000))).isEqualTo(2);
        assertThat(bound.turns(Duration.ofMillis(300))).isEqualTo(2);
    }
}
