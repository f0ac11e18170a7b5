package kvant.report.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import kvant.report.inference.Schedule.Design;
import org.junit.jupiter.api.Test;

/// Whether as many rounds as were planned find what they were planned for.
class PowerTest {

    private static final double SPREAD = 0.15;
    private static final double DIFFERENCE = Math.log(1.1);

    @Test
    void thePlannedNumberFindsTheDifferenceAboutAsOftenAsPromised() {
        int units = Schedule.unitsNeeded(Design.FIXED, 0.95, SPREAD, DIFFERENCE);
        Random random = new Random(5);
        int found = 0;
        for (int i = 0; i < 1000; i++) {
            double[] logs = IntStream.range(0, units)
                    .mapToDouble(_ -> DIFFERENCE + SPREAD * random.nextGaussian())
                    .toArray();
            PairedUnits ratios = PairedUnits.ofEach(logs);
            found += ratios.mean() - ratios.half(Schedule.FIXED, 0.95) > 0 ? 1 : 0;
        }

        assertThat(units).isBetween(15, 30);
        assertThat(found).isBetween(740, 860);
    }

    @Test
    void halfTheDifferenceTakesAboutFourTimesTheRounds() {
        int whole = Schedule.unitsNeeded(Design.FIXED, 0.95, SPREAD, DIFFERENCE);
        int half = Schedule.unitsNeeded(Design.FIXED, 0.95, SPREAD, DIFFERENCE / 2);

        assertThat(half / (double) whole).isBetween(3.3, 4.3);
    }

    @Test
    void lookingAllTheTimeTakesMoreRoundsAndNoNumberIsWithoutBound() {
        assertThat(Schedule.unitsNeeded(Design.SEQUENTIAL, 0.95, SPREAD, DIFFERENCE))
                .isGreaterThan(Schedule.unitsNeeded(Design.FIXED, 0.95, SPREAD, DIFFERENCE));
        assertThat(Schedule.unitsNeeded(Design.FIXED, 0.95, 0.001, DIFFERENCE)).isEqualTo(3);
        assertThat(Schedule.unitsNeeded(Design.SEQUENTIAL, 0.95, 0.001, DIFFERENCE))
                .isEqualTo(4);
        assertThat(Schedule.unitsNeeded(Design.FIXED, 0.95, 100, DIFFERENCE)).isEqualTo(Schedule.MOST_UNITS);
    }
}
