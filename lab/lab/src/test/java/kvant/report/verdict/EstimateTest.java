package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.report.inference.Schedule;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// The statistics against data whose truth is known.
class EstimateTest {

    private static final Metric P99 = Metric.percentile(99);

    private static Estimate rounds(double[] a, double[] b) {
        int[] repeats = IntStream.rangeClosed(1, a.length).toArray();
        return Estimate.ofRounds(repeats, a, b, Schedule.FIXED, 0.95);
    }

    @Test
    void theIntervalIsThatOfAPairedStudentTest() {
        // Logarithms of the ratios: 0.1, 0.2, 0.3; mean 0.2, standard deviation 0.1, t(0.975; 2) =
        // 4.3027.
        double[] a = {1, 10, 100};
        double[] b = {Math.exp(0.1), 10 * Math.exp(0.2), 100 * Math.exp(0.3)};
        Estimate estimate = rounds(a, b);
        double half = 4.3027 * 0.1 / Math.sqrt(3);

        assertThat(Math.log1p(estimate.change())).isCloseTo(0.2, within(1e-9));
        assertThat(Math.log1p(estimate.low())).isCloseTo(0.2 - half, within(1e-4));
        assertThat(Math.log1p(estimate.high())).isCloseTo(0.2 + half, within(1e-4));
        assertThat(estimate.a()).isCloseTo(10, within(1e-9));
        assertThat(estimate.direction()).isZero();
    }

    @Test
    void whatDisturbsBothOfARoundDropsOut() {
        Random random = new Random(1);
        double[] a = new double[5];
        double[] b = new double[5];
        for (int round = 0; round < 5; round++) {
            double mood = Math.exp(0.5 * random.nextGaussian()); // rounds differ by more than half
            a[round] = mood * Math.exp(0.01 * random.nextGaussian());
            b[round] = 1.1 * mood * Math.exp(0.01 * random.nextGaussian());
        }

        assertThat(rounds(a, b).direction()).isEqualTo(1);
        assertThat(rounds(b, a).direction()).isEqualTo(-1);
    }

    @Test
    void theIntervalHoldsTheTruthAsOftenAsItSays() {
        Random random = new Random(2);
        int held = 0;
        int alarms = 0;
        for (int i = 0; i < 1000; i++) {
            double[] a = new double[4];
            double[] b = new double[4];
            double[] same = new double[4];
            for (int round = 0; round < 4; round++) {
                a[round] = Math.exp(0.1 * random.nextGaussian());
                b[round] = 1.3 * Math.exp(0.1 * random.nextGaussian());
                same[round] = Math.exp(0.1 * random.nextGaussian());
            }
            Estimate estimate = rounds(a, b);
            held += estimate.low() <= 0.3 && estimate.high() >= 0.3 ? 1 : 0;
            alarms += rounds(a, same).direction() != 0 ? 1 : 0;
        }

        assertThat(held).isBetween(930, 970);
        assertThat(alarms).isBetween(20, 65);
    }

    @Test
    void roundsThatAgreeByRoundingAreNotCertain() {
        double[] a = {1, 1, 1};
        Estimate estimate = rounds(a, new double[] {1.006, 1.006, 1.006});

        assertThat(estimate.high() - estimate.low()).isGreaterThan(0.004);
        assertThat(estimate.direction()).isZero();
    }

    @Test
    void aChangeBelowTheErrorOfTheToolIsNone() {
        double[] a = new double[40];
        double[] b = new double[40];
        Arrays.fill(a, 1);
        Arrays.fill(b, 1.004);

        assertThat(rounds(a, b).direction()).isZero();
    }

    /// The interval of the published question A, "no difference found" from -25 % to +744 %.
    @Test
    void whatCouldHideIsTheFartherEndOfTheInterval() {
        Estimate wide = new Estimate(1, 2.5, 1.5, -0.25, 7.44, 3, 3, Estimate.Unit.ROUND, 0);
        Estimate narrow = new Estimate(1, 1, 0, -0.06, 0.05, 3, 3, Estimate.Unit.ROUND, 0);

        assertThat(wide.hidden()).isCloseTo(8.44, within(1e-9));
        assertThat(wide.isWithin(0.1)).isFalse();
        assertThat(narrow.hidden()).isCloseTo(1 / 0.94, within(1e-9));
        assertThat(narrow.isWithin(0.1)).isTrue();
        assertThat(narrow.isWithin(0.06)).isFalse(); // -6 % is a factor of 1.064
    }

    @Test
    void twoRoundsAreTooFewForAnIntervalOfRounds() {
        Estimate estimate = rounds(new double[] {1, 1}, new double[] {9, 9});

        assertThat(estimate.isTold()).isFalse();
        assertThat(estimate.direction()).isZero();
    }

    private static List<Histogram> blocks(Random random, double factor, int count) {
        List<Histogram> blocks = new ArrayList<>();
        for (int block = 0; block < count; block++) {
            Histogram histogram = new Histogram(3);
            double mood = Math.exp(0.05 * random.nextGaussian());
            for (int i = 0; i < 1000; i++) {
                histogram.recordValue((long) (1e6 * factor * mood * Math.exp(0.5 * random.nextGaussian())));
            }
            blocks.add(histogram);
        }
        return blocks;
    }

    private static double p99(List<Histogram> blocks) {
        Histogram sum = new Histogram(3);
        blocks.forEach(sum::add);
        return sum.getValueAtPercentile(99);
    }

    /// A reader divides one figure by the other, and gets the change.
    @Test
    void theFiguresAreThoseOfTheRoundsThatAreJudged() {
        Random random = new Random(6);
        double[] a = IntStream.range(0, 14)
                .mapToDouble(_ -> 10 * Math.exp(0.05 * random.nextGaussian()))
                .toArray();
        double[] b = Arrays.stream(a)
                .map(one -> one * Math.exp(0.05 * random.nextGaussian()))
                .toArray();
        b[4] *= 30;
        Estimate estimate = rounds(a, b);

        assertThat(estimate.disturbed()).isOne();
        assertThat(estimate.rounds()).isEqualTo(14);
        assertThat(estimate.judgedRounds()).isEqualTo(13);
        assertThat(estimate.b() / estimate.a() - 1).isCloseTo(estimate.change(), within(1e-9));
    }

    private static Estimate estimate(List<List<Histogram>> a, List<List<Histogram>> b) {
        return Estimate.ofBlocks(
                P99,
                a.stream().mapToDouble(EstimateTest::p99).toArray(),
                b.stream().mapToDouble(EstimateTest::p99).toArray(),
                a,
                b,
                0.95);
    }

    @Test
    void aSingleRoundIsJudgedByItsStretches() {
        Random random = new Random(3);
        int found = 0;
        int alarms = 0;
        for (int i = 0; i < 20; i++) {
            found += estimate(List.of(blocks(random, 1, 12)), List.of(blocks(random, 1.4, 12)))
                    .direction();
            alarms += Math.abs(estimate(List.of(blocks(random, 1, 12)), List.of(blocks(random, 1, 12)))
                    .direction());
        }

        assertThat(found).isGreaterThanOrEqualTo(19);
        assertThat(alarms).isLessThanOrEqualTo(3);
    }

    @Test
    void fewStretchesTellNothing() {
        Random random = new Random(4);

        assertThat(estimate(List.of(blocks(random, 1, 4)), List.of(blocks(random, 3, 12)))
                        .isTold())
                .isFalse();
    }

    /// Rounds differ by an eighth, and stretches of a round by less: two rounds know little of that.
    @Test
    void twoRoundsClaimNoMoreThanTheyKnow() {
        Random random = new Random(12);
        int alarms = 0;
        for (int run = 0; run < 60; run++) {
            double[] moods = IntStream.range(0, 4)
                    .mapToDouble(_ -> Math.exp(0.12 * random.nextGaussian()))
                    .toArray();
            Estimate same = estimate(
                    List.of(blocks(random, moods[0], 10), blocks(random, moods[1], 10)),
                    List.of(blocks(random, moods[2], 10), blocks(random, moods[3], 10)));
            alarms += same.direction() != 0 ? 1 : 0;
        }
        assertThat(alarms).as("of 60").isLessThanOrEqualTo(6);
    }

    @Test
    void twoRoundsThatDisagreeFindNoDifference() {
        Random random = new Random(5);
        Estimate agree = estimate(
                List.of(blocks(random, 1, 12), blocks(random, 1, 12)),
                List.of(blocks(random, 1.4, 12), blocks(random, 1.4, 12)));
        Estimate disagree = estimate(
                List.of(blocks(random, 1, 12), blocks(random, 1, 12)),
                List.of(blocks(random, 2.2, 12), blocks(random, 0.9, 12)));

        assertThat(agree.direction()).isEqualTo(1);
        assertThat(disagree.direction()).isZero();
        assertThat(disagree.unit()).isEqualTo(Estimate.Unit.STRETCH);
    }
}
