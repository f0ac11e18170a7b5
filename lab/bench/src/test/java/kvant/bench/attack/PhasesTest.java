package kvant.bench.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.bench.attack.GoodClient.Stretch;
import kvant.bench.process.LoadMeasurement;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PhasesTest {

    private static final double USUAL = 15;
    private static final double BAD = 500;

    /// A second of the good client.
    private static Stretch second(int at, int requests, double millis, int errors) {
        Histogram response = new Histogram(3);
        response.recordValueWithCount((long) (millis * 1e6), requests);
        return new Stretch(seconds(at), seconds(at + 1), errors, response);
    }

    private static long seconds(int at) {
        return TimeUnit.SECONDS.toNanos(at);
    }

    private static double p99(Histogram histogram) {
        return LoadMeasurement.millis(histogram, 99);
    }

    @Test
    void secondsBelongToWhatTheyOverlap() {
        Phases phases = Phases.of(
                List.of(second(0, 200, USUAL, 0), second(1, 200, BAD, 0), second(2, 200, 25, 0)),
                seconds(1),
                seconds(2));

        assertThat(p99(phases.before())).isCloseTo(USUAL, within(0.1));
        assertThat(p99(phases.during())).isCloseTo(BAD, within(1.0));
        assertThat(p99(phases.after())).isCloseTo(25, within(0.1));
        assertThat(phases.normalSeconds()).isZero();
    }

    /// Requests due during the attack count for it, even if answered later.
    @Test
    void theAttackLastsForTheGoodClientUntilTheNodeIsNormal() {
        Phases phases = Phases.of(
                List.of(second(0, 200, USUAL, 0), second(1, 200, 1, 0), second(2, 200, BAD, 0), second(3, 200, 1, 0)),
                seconds(1),
                seconds(2));

        assertThat(p99(phases.during())).isCloseTo(BAD, within(1.0));
        assertThat(p99(phases.after())).isCloseTo(1, within(0.1));
        assertThat(phases.normalSeconds()).isEqualTo(1);
    }

    @Test
    void aSecondWithErrorsOrWithFewAnswersIsNotNormal() {
        Phases phases = Phases.of(
                List.of(second(0, 200, USUAL, 0), second(1, 200, USUAL, 1), second(2, 20, USUAL, 0)),
                seconds(1),
                seconds(1));

        assertThat(phases.normalSeconds()).isNaN();
        assertThat(p99(phases.after())).isNaN();
    }
}
