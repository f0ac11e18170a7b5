package kvant.report.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.load.compare.Student;
import kvant.report.inference.Schedule.Design;
import org.junit.jupiter.api.Test;

/// Intervals that hold at all looks together, and those that do not.
class GroupSequentialTest {

    private static final double ERROR = 0.05;

    /// Runs drawn at random, of values with unknown spread.
    private static final class Drawn {
        private final Random random = new Random(11);
        private double sum;
        private double squares;
        private int values;

        void begin() {
            sum = 0;
            squares = 0;
            values = 0;
        }

        /// The error of the mean of so many values, in standard errors.
        double t(int wanted) {
            for (; values < wanted; values++) {
                double value = random.nextGaussian();
                sum += value;
                squares += value * value;
            }
            double variance = (squares - sum * sum / values) / (values - 1);
            return Math.abs(sum / values) / Math.sqrt(variance / values);
        }
    }

    /// After each value from the fourth on, of a run that would end with so many.
    private static double[] limits(int most) {
        double[] limits = new double[most + 1];
        for (int n = 4; n <= most; n++) {
            int[] counts = IntStream.rangeClosed(4, n).toArray();
            double[] spent =
                    IntStream.of(counts).mapToDouble(one -> (double) one / most).toArray();
            limits[n] = GroupSequential.halfWidth(1 - ERROR, counts, spent);
        }
        return limits;
    }

    /// A quarter of the error is spent at half of the time.
    @Test
    void theFirstLookHasWhatIsSpentOfTheError() {
        assertThat(GroupSequential.halfWidth(0.95, new int[] {8}, new double[] {0.5}))
                .isCloseTo(Student.halfWidth(1 - ERROR / 4, 7), within(1e-9));
        assertThat(GroupSequential.halfWidth(0.95, new int[] {8}, new double[] {1}))
                .isCloseTo(Student.halfWidth(1 - ERROR, 7), within(1e-9));
    }

    /// Each look ends as many of the runs that no look before has ended as were spent since.
    @Test
    void allLooksTogetherLeaveTheErrorOfTheRun() {
        int[] values = {4, 8, 12, 16};
        double[] spent = {0.25, 0.5, 0.75, 1};
        double[] limits = IntStream.rangeClosed(1, values.length)
                .mapToDouble(looks ->
                        GroupSequential.halfWidth(0.95, Arrays.copyOf(values, looks), Arrays.copyOf(spent, looks)))
                .toArray();
        int runs = 100_000;
        int[] ended = new int[values.length];
        Drawn drawn = new Drawn();
        for (int run = 0; run < runs; run++) {
            drawn.begin();
            int look = 0;
            while (look < values.length && drawn.t(values[look]) <= limits[look]) {
                look++;
            }
            if (look < values.length) {
                ended[look]++;
            }
        }

        for (int look = 0; look < values.length; look++) {
            double before = look == 0 ? 0 : spent[look - 1];
            double share = ERROR * (spent[look] * spent[look] - before * before);
            assertThat(ended[look] / (double) runs)
                    .as("look %d", look)
                    .isCloseTo(share, within(6 * Math.sqrt(share / runs)));
        }
    }

    @Test
    void whoLooksAfterEachValueIsWrongNoMoreOftenThanHeSays() {
        int most = 24;
        double[] limits = limits(most);
        int runs = 20_000;
        int wrong = 0;
        int wrongByStudent = 0;
        Drawn drawn = new Drawn();
        for (int run = 0; run < runs; run++) {
            drawn.begin();
            boolean outside = false;
            boolean outsideStudent = false;
            for (int n = 4; n <= most; n++) {
                double t = drawn.t(n);
                outside |= t > limits[n];
                outsideStudent |= t > STUDENT[n];
            }
            wrong += outside ? 1 : 0;
            wrongByStudent += outsideStudent ? 1 : 0;
        }

        assertThat(wrong / (double) runs).isCloseTo(ERROR, within(0.004)); // the usual approximation: 0.057
        assertThat(wrongByStudent).isGreaterThan(runs * 3 / 20); // why a run must not stop by that one
    }

    private static final double[] STUDENT = new double[25];

    static {
        for (int n = 4; n < STUDENT.length; n++) {
            STUDENT[n] = Student.halfWidth(0.95, n - 1);
        }
    }

    /// The reason for dividing the error by the time: at its end, a run is almost as precise as one that never looked.
    @Test
    void theLastLookCostsLittle() {
        double[] limits = limits(12);

        assertThat(limits[12] / STUDENT[12]).isBetween(1.05, 1.25);
        assertThat(limits[8] / STUDENT[8]).isBetween(1.3, 1.6);
    }

    /// An unused share of the error, too small to be counted, passes to the next look.
    @Test
    void manyLooksAndManyComparisonsCostLittleToo() {
        assertThat(Schedule.evenly(Design.INTERLEAVED, 200).halfWidth(0.95, 200, first(200))
                        / Student.halfWidth(0.95, 199))
                .isBetween(1.02, 1.25);
        double sixth = 1 - ERROR / 6;
        assertThat(Schedule.evenly(Design.INTERLEAVED, 40).halfWidth(sixth, 40, first(40))
                        / Student.halfWidth(sixth, 39))
                .isBetween(1.02, 1.25);
    }

    private static int[] first(int count) {
        return IntStream.rangeClosed(1, count).toArray();
    }

    /// Nothing is left for a look at which no time was spent.
    @Test
    void aLookWithoutTimeTellsNothing() {
        assertThat(GroupSequential.halfWidth(0.95, new int[] {8, 9}, new double[] {1, 1}))
                .isGreaterThan(1e5);
    }
}
