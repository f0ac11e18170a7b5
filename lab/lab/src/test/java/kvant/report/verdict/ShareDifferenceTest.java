package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.report.inference.Schedule;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.ShareDifference.Round;
import org.junit.jupiter.api.Test;

/// Shares of failed requests against data whose truth is known.
class ShareDifferenceTest {

    private static final int RUNS = 1000;
    private static final int DUE = 5000;
    private static final double PLANTED = 0.004;

    /// Of a run whose time would suffice for thirty rounds.
    private static final Schedule LOOKING = Schedule.evenly(Design.SEQUENTIAL, 30);

    private static ShareDifference of(Schedule schedule, List<Round> rounds) {
        Schedule own = schedule.of(rounds.stream().map(Round::repeat).toList());
        return ShareDifference.of(rounds, own, 0.95);
    }

    /// So many of a million failed in B, and half of a million in A.
    private static List<Round> rounds(long... errors) {
        return IntStream.range(0, errors.length)
                .mapToObj(i -> new Round(i + 1, 500_000, 1_000_000, errors[i], 1_000_000))
                .toList();
    }

    /// Differences: 0.1, 0.2, 0.3; mean 0.2, standard deviation 0.1, t(0.975; 2) = 4.3027.
    @Test
    void theIntervalIsThatOfAPairedStudentTestOfTheDifferences() {
        ShareDifference estimate = of(Schedule.FIXED, rounds(600_000, 700_000, 800_000));
        double half = 4.3027 * 0.1 / Math.sqrt(3);

        assertThat(estimate.difference()).isCloseTo(0.2, within(1e-9));
        assertThat(estimate.low()).isCloseTo(0.2 - half, within(1e-5));
        assertThat(estimate.high()).isCloseTo(0.2 + half, within(1e-5));
        assertThat(estimate.direction()).isZero();
        assertThat(of(Schedule.FIXED, rounds(690_000, 700_000, 710_000)).direction())
                .isOne();
        assertThat(of(Schedule.FIXED, rounds(290_000, 300_000, 310_000)).direction())
                .isEqualTo(-1);
    }

    /// No request failed: with the confidence 0.95 for both shares the bound is 1 - 0.0125^(1/n).
    @Test
    void whereNothingFailsTheBoundIsThatOfTheCounts() {
        List<Round> none = IntStream.rangeClosed(1, 3)
                .mapToObj(repeat -> new Round(repeat, 0, 4000, 0, 4000))
                .toList();
        ShareDifference estimate = of(Schedule.FIXED, none);
        double bound = 1 - Math.pow(0.0125, 1 / 12_000.0);

        assertThat(estimate.high()).isCloseTo(bound, within(1e-9));
        assertThat(estimate.low()).isCloseTo(-bound, within(1e-9));
        assertThat(estimate.isWithin(1.01 * bound)).isTrue();
        assertThat(estimate.isWithin(0.99 * bound)).isFalse();
    }

    /// A few failures, the same in each round, have no spread, but that does not make their share certain.
    @Test
    void roundsThatAgreeByChanceAreNoProof() {
        List<Round> rounds = IntStream.rangeClosed(1, 3)
                .mapToObj(repeat -> new Round(repeat, 0, 4000, 1, 4000))
                .toList();

        assertThat(of(Schedule.FIXED, rounds).direction()).isZero();
    }

    @Test
    void noRoundIsLeftOutForItsFailures() {
        List<Round> rounds = new ArrayList<>();
        for (int repeat = 1; repeat <= 28; repeat++) {
            rounds.add(new Round(repeat, 0, DUE, repeat == 7 ? 1000 : 0, DUE));
        }
        ShareDifference estimate = of(Schedule.FIXED, rounds);

        assertThat(estimate.unit()).isEqualTo(Estimate.Unit.BLOCK);
        assertThat(estimate.b()).isCloseTo(1000.0 / 28 / DUE, within(1e-12));
        assertThat(estimate.high()).isGreaterThan(0.015);
    }

    @Test
    void aRunThatLooksAgainTakesFourBlocks() {
        assertThat(of(LOOKING, same(6)).isTold()).isFalse();
        assertThat(of(LOOKING, same(8)).isTold()).isTrue();
        assertThat(of(LOOKING, same(8)).high())
                .isGreaterThan(of(Schedule.FIXED, same(8)).high());
    }

    private static List<Round> same(int rounds) {
        return IntStream.rangeClosed(1, rounds)
                .mapToObj(repeat -> new Round(repeat, 0, DUE, 0, DUE))
                .toList();
    }

    /// A random number of failures with this mean (Knuth).
    private static long poisson(double mean, Random random) {
        double limit = Math.exp(-mean);
        long count = -1;
        for (double product = 1; product > limit; product *= random.nextDouble()) {
            count++;
        }
        return count;
    }

    /// Rounds have a mood that both share, and one of their own.
    private static List<Round> measured(int rounds, double share, double planted, Random random) {
        List<Round> measured = new ArrayList<>();
        for (int repeat = 1; repeat <= rounds; repeat++) {
            double mood = share * Math.exp(0.5 * random.nextGaussian());
            double ofA = mood * Math.exp(0.2 * random.nextGaussian());
            double ofB = mood * Math.exp(0.2 * random.nextGaussian()) + planted;
            measured.add(new Round(repeat, poisson(DUE * ofA, random), DUE, poisson(DUE * ofB, random), DUE));
        }
        return measured;
    }

    private static boolean holds(ShareDifference estimate, double truth) {
        return !estimate.isTold() || estimate.low() <= truth && truth <= estimate.high();
    }

    @Test
    void theIntervalHoldsTheTruthAsOftenAsItSays() {
        Random random = new Random(4);
        for (double share : new double[] {0.01, 0.0001}) {
            int held = 0;
            int alarms = 0;
            for (int run = 0; run < RUNS; run++) {
                held += holds(of(Schedule.FIXED, measured(6, share, PLANTED, random)), PLANTED) ? 1 : 0;
                alarms += of(Schedule.FIXED, measured(6, share, 0, random)).direction() != 0 ? 1 : 0;
            }
            assertThat(held).as("held of %s", share).isGreaterThanOrEqualTo(935);
            assertThat(alarms).as("alarms of %s", share).isLessThanOrEqualTo(65);
        }
    }

    /// Each step has a burst as often as not.
    @Test
    void twoRoundsClaimNoMoreThanTheyKnow() {
        Random random = new Random(9);
        int alarms = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Round> rounds = IntStream.rangeClosed(1, 2)
                    .mapToObj(repeat -> new Round(repeat, burst(random), DUE, burst(random), DUE))
                    .toList();
            alarms += of(Schedule.FIXED, rounds).direction() != 0 ? 1 : 0;
        }
        assertThat(alarms).as("of %d", RUNS).isLessThanOrEqualTo(RUNS * 65 / 1000);
    }

    private static long burst(Random random) {
        return random.nextBoolean() ? (long) (DUE * 0.1 * random.nextDouble()) : 0;
    }

    /// Looking after each block and stopping at a result that one likes is wrong no more often than stated.
    @Test
    void allIntervalsOfARunThatLooksAgainHoldTheTruth() {
        Random random = new Random(5);
        for (double share : new double[] {0.01, 0.0001}) {
            int held = 0;
            for (int run = 0; run < RUNS / 2; run++) {
                List<Round> all = measured(30, share, 0, random);
                held += IntStream.rangeClosed(2, 15)
                                .allMatch(blocks -> holds(of(LOOKING, all.subList(0, 2 * blocks)), 0))
                        ? 1
                        : 0;
            }
            assertThat(held).as("held of %s", share).isGreaterThanOrEqualTo(475);
        }
    }
}
