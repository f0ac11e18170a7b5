package kvant.report.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.report.inference.Schedule.Design;
import org.junit.jupiter.api.Test;

class PairedUnitsTest {

    private static int[] numbers(int count) {
        return IntStream.rangeClosed(1, count).toArray();
    }

    /// A round with A first and one with B first: what slows each step by as much cancels out.
    @Test
    void aSteadyDriftDropsOutOfABlock() {
        double[] logs = new double[16];
        for (int round = 0; round < 16; round++) {
            logs[round] = 0.1 + (round % 2 == 0 ? 0.05 : -0.05);
        }
        PairedUnits ratios = PairedUnits.ofRatios(numbers(16), logs, Design.FIXED);

        assertThat(ratios.rounds()).isEqualTo(2);
        assertThat(ratios.values()).hasSize(8);
        assertThat(ratios.mean()).isCloseTo(0.1, within(1e-12));
        assertThat(ratios.spread()).isLessThan(0.002);
    }

    @Test
    void fewBlocksAreJudgedByTheirRoundsUnlessTheRunStopsByThem() {
        double[] logs = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};

        assertThat(PairedUnits.ofRatios(numbers(6), logs, Design.FIXED).values())
                .containsExactly(logs);
        assertThat(PairedUnits.ofRatios(numbers(6), logs, Design.SEQUENTIAL).values())
                .hasSize(3);
    }

    /// Each of them has both orders of the variants.
    @Test
    void interleavedRoundsAreJudgedOneByOne() {
        double[] logs = noise(20);

        assertThat(PairedUnits.ofRatios(numbers(20), logs, Design.INTERLEAVED).values())
                .containsExactly(logs);
        assertThat(PairedUnits.ofRatios(numbers(20), logs, Design.FIXED).values())
                .hasSize(10);
    }

    @Test
    void aRoundAloneIsNoBlock() {
        int[] repeats = {1, 2, 4, 5, 6, 7};
        double[] logs = {0, 0.2, 9, 0.4, 0.6, 9};

        assertThat(PairedUnits.ofRatios(repeats, logs, Design.SEQUENTIAL).values())
                .containsExactly(0.1, 0.5);
    }

    private static double[] noise(int count) {
        Random random = new Random(3);
        return IntStream.range(0, count)
                .mapToDouble(_ -> 0.05 * random.nextGaussian())
                .toArray();
    }

    @Test
    void aDisturbedUnitIsLeftOutAndCounted() {
        double[] logs = noise(14);
        logs[4] = -1.5;
        PairedUnits ratios = PairedUnits.ofRatios(numbers(14), logs, Design.FIXED);

        assertThat(ratios.disturbed()).isOne();
        assertThat(ratios.values()).hasSize(13).doesNotContain(-1.5);
        assertThat(ratios.spread()).isLessThan(0.1);
        assertThat(ratios.isJudged(4)).isTrue();
        assertThat(ratios.isJudged(5)).isFalse();
    }

    @Test
    void bothRoundsOfABlockThatIsLeftOutAreNotJudgedAndAnOddOneIsNeither() {
        double[] logs = noise(27);
        logs[6] = 3; // of the fourth block
        PairedUnits ratios = PairedUnits.ofRatios(numbers(27), logs, Design.FIXED);

        assertThat(ratios.rounds()).isEqualTo(2);
        assertThat(IntStream.rangeClosed(1, 27).filter(round -> !ratios.isJudged(round)))
                .containsExactly(7, 8, 27);
    }

    @Test
    void whereManyAreFarOffThatIsTheSpreadOfTheMachine() {
        double[] logs = noise(14);
        logs[1] = 1.5;
        logs[4] = -1.5;
        logs[7] = 2;

        assertThat(PairedUnits.ofRatios(numbers(14), logs, Design.FIXED).disturbed())
                .isZero();
    }

    @Test
    void ofFewUnitsNoneIsLeftOut() {
        double[] logs = noise(11);
        logs[4] = 1.5;

        assertThat(PairedUnits.ofRatios(numbers(11), logs, Design.FIXED).disturbed())
                .isZero();
    }

    @Test
    void unitsThatAgreeByRoundingAreNotDisturbed() {
        double[] logs = new double[14];
        Arrays.fill(logs, 0.1);
        logs[3] = 0.1005;

        assertThat(PairedUnits.ofRatios(numbers(14), logs, Design.FIXED).disturbed())
                .isZero();
    }
}
