package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kvant.load.host.HostFacts;
import org.junit.jupiter.api.Test;

/// Shares of a person are written down as they were given: whoever resumes a run reads them again.
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
    void aStepIsDisturbedByWhatTheHostTakesAndByOtherProcesses() {
        HostBound bound = new HostBound(0.05, 1);

        assertThat(bound.reasons(host(0.02, 0), 0.5)).isEmpty();
        assertThat(bound.reasons(host(0.03, 0), 0.5)).containsExactly(HostBound.Reason.STOLEN);
        assertThat(bound.reasons(host(0.02, 0.11), 0.5)).containsExactly(HostBound.Reason.OTHERS);
        assertThat(bound.reasons(HostFacts.UNKNOWN, Double.NaN)).isEmpty();
        assertThat(bound.withAbove(Double.NaN).reasons(host(1, 2), 0.5)).isEmpty();
    }

    /// Of two processors, on which server and generator run code of their own for half of the time each.
    private static HostFacts host(double stolenShare, double others) {
        return new HostFacts(2, 2, 0, "", 0, 1 + others, 0.5, 1 + others, 0.5, stolenShare, 0, 0, 0, 0, 8, 0);
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
}
