package kvant.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.lab.result.StepRecord.Disturbance;
import kvant.load.host.HostFacts;
import org.junit.jupiter.api.Test;

class DisturbanceTest {

    private static final double ABOVE = 0.05;
    private static final double SERVED = 0.5;

    @Test
    void aStepIsDisturbedByWhatTheHostTakesAndByOtherProcesses() {
        assertThat(Disturbance.of(host(0.02, 0), SERVED, ABOVE)).isEmpty();
        assertThat(Disturbance.of(host(0.03, 0), SERVED, ABOVE)).containsExactly(Disturbance.STOLEN);
        assertThat(Disturbance.of(host(0.02, 0.11), SERVED, ABOVE)).containsExactly(Disturbance.OTHERS);
    }

    @Test
    void whatIsNotKnownDisturbsNothing() {
        assertThat(Disturbance.of(HostFacts.UNKNOWN, Double.NaN, ABOVE)).isEmpty();
        assertThat(Disturbance.of(host(0.02, 2), Double.NaN, ABOVE)).isEmpty();
        assertThat(Disturbance.of(host(1, 2), SERVED, Double.NaN)).isEmpty();
    }

    /// Of two processors, on which server and generator work for half of the time each. That their control group is out
    /// of its share is no reason: they use it up themselves.
    private static HostFacts host(double stolenShare, double others) {
        return new HostFacts(2, 2, 0, "", 0, 1 + others, 0.5, 1 + others, 0.5, stolenShare, 0.9, 0, 0, 0, 8, 0);
    }
}
