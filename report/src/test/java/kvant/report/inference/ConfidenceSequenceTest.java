package kvant.report.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import kvant.load.compare.Student;
import org.junit.jupiter.api.Test;

/// An interval that holds whenever one looks, beside one that does not.
class ConfidenceSequenceTest {

    /// Solved from the martingale by hand: with four values r = 0.3 / 4.3, and √r ((1 + q) / (1 + r q))² =
    /// 20 at q = 19.7, so that t = √(3 · 19.7).
    @Test
    void theMartingaleIsAtItsLimitAtTheEndsOfTheInterval() {
        for (int values : new int[] {4, 10, 50}) {
            double t = ConfidenceSequence.halfWidth(0.95, values);
            double r = 0.3 / (values + 0.3);
            double q = t * t / (values - 1);
            double martingale = Math.sqrt(r) * Math.pow((1 + q) / (1 + r * q), values / 2.0);

            assertThat(martingale).isCloseTo(20, within(1e-6));
        }
        assertThat(ConfidenceSequence.halfWidth(0.95, 4)).isCloseTo(Math.sqrt(3 * 19.7), within(0.1));
        assertThat(ConfidenceSequence.halfWidth(0.95, 3)).isInfinite();
    }

    @Test
    void whoLooksAfterEachValueIsWrongNoMoreOftenThanHeSays() {
        Random random = new Random(1);
        int sequences = 2000;
        int wrong = 0;
        int wrongByStudent = 0;
        for (int i = 0; i < sequences; i++) {
            boolean outside = false;
            boolean outsideStudent = false;
            double sum = 0;
            double squares = 0;
            for (int n = 1; n <= 50; n++) {
                double value = random.nextGaussian();
                sum += value;
                squares += value * value;
                double variance = (squares - sum * sum / n) / Math.max(1, n - 1);
                double t = Math.abs(sum / n) / Math.sqrt(variance / n);
                outside |= n >= 4 && t > HALF[n];
                outsideStudent |= n >= 4 && t > STUDENT[n];
            }
            wrong += outside ? 1 : 0;
            wrongByStudent += outsideStudent ? 1 : 0;
        }

        assertThat(wrong).isBetween(1, sequences / 20);
        assertThat(wrongByStudent).isGreaterThan(sequences / 5); // why a run must not stop by that one
    }

    private static final double[] HALF = new double[51];
    private static final double[] STUDENT = new double[51];

    static {
        for (int n = 4; n <= 50; n++) {
            HALF[n] = ConfidenceSequence.halfWidth(0.95, n);
            STUDENT[n] = Student.halfWidth(0.95, n - 1);
        }
    }
}
