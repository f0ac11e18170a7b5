package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.folder.ResultFolder;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.Outcome;
import org.junit.jupiter.api.Test;

/// Which doubts could change an answer.
class SensitivityTest extends TwoVariants {

    private static final int ROUNDS = 5;

    private void rounds(double factor, double lagMillis) throws IOException {
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step(
                            "async",
                            "put",
                            round,
                            SyntheticLoad.of(factor, 70 + round).withLag(lagMillis));
        }
    }

    /// B stalls in two rounds of fifteen: they are left out, and what is left is no different.
    private void stalls(double factor) throws IOException {
        question("p50");
        for (int round = 1; round <= 15; round++) {
            boolean stalled = round == 4 || round == 11;
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(stalled ? factor : 1, 70 + round));
        }
    }

    @Test
    void thatTheyAreTheSameIsDoubtfulWhereUnitsOfOneSideWereLeftOut() throws IOException {
        stalls(3);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.SAME);
        assertThat(verdict.decisive()).singleElement().isInstanceOf(Caveat.Disturbed.class);
        assertThat(verdict.isSameByLeavingOut()).isTrue();
    }

    @Test
    void aDifferenceIsNotDoubtfulForThat() throws IOException {
        question("p50");
        for (int round = 1; round <= 15; round++) {
            double factor = round == 4 ? 0.2 : 1.5;
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(factor, 70 + round));
        }
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict.caveats()).anyMatch(Caveat.Disturbed.class::isInstance);
        assertThat(verdict.decisive()).isEmpty();
    }

    @Test
    void aLateGeneratorCannotExplainALargeDifference() throws IOException {
        question("p99");
        rounds(2.5, 0.95);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict.caveats()).hasSize(ROUNDS).allMatch(Caveat.Doubtful.class::isInstance);
        assertThat(verdict.decisive()).isEmpty();
    }

    @Test
    void aLateGeneratorMayExplainASmallOne() throws IOException {
        question("p99");
        rounds(1.3, 1.2);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict.decisive()).hasSize(ROUNDS + 1).isEqualTo(verdict.caveats());
        assertThat(verdict.decisive().subList(1, ROUNDS + 1)).allMatch(Caveat.Doubtful.class::isInstance);
        assertThat(verdict.estimate()).isNotNull();
        assertThat(verdict.estimate().change()).isGreaterThan(0.2);
        assertThat(verdict.estimate().low()).isNegative();
    }

    /// A tenth of a p99 is a large part of a median.
    @Test
    void whatIsLateForAnotherPercentileMayExplainAMedian() throws IOException {
        question("p50");
        rounds(1.3, 0.35);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict.caveats())
                .as("valid by its p99")
                .singleElement()
                .isInstanceOf(Caveat.HeldByGenerator.class)
                .isEqualTo(verdict.decisive().getFirst());
        assertThat(verdict.heldByGenerator().orElseThrow().measured().change()).isBetween(0.25, 0.35);
    }

    /// The text says that more rounds would not help, and gives the remedy.
    @Test
    void aVerdictThatTheGeneratorHoldsOpenSaysSo() throws IOException {
        question("p50");
        rounds(1.3, 0.35);
        Verdict verdict = verdict();

        assertThat(Remarks.english(VerdictSentences.headline(verdict)))
                .matches("Undecided between async and sync at p50: .* with 2 cores\\. Only the time that the"
                        + " generator's late sending may have added keeps it open\\. As measured: async is slower"
                        + " than sync at p50 by .*\\. More rounds do not help: give the generator cores of its"
                        + " own, or lower the rate\\.");
        assertThat(VerdictSentences.decisive(verdict).stream().map(Remarks::english))
                .containsExactly(
                        "Open only because of the time that the generator's late sending may have added: p50 of"
                                + " sync and async.");
        assertThat(PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, 0.1))
                .singleElement()
                .matches(forecast -> !forecast.open());
    }

    @Test
    void whatIsOpenForItsOwnSpreadIsNotHeldByTheGenerator() throws IOException {
        question("p50");
        double[] factors = {0.4, 1.1, 2.1, 0.55, 0.7};
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round).withLag(0.3))
                    .step("async", "put", round, SyntheticLoad.of(factors[round - 1], 70 + round));
        }

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict().heldByGenerator()).isEmpty();
        assertThat(PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, 0.1))
                .singleElement()
                .matches(PowerEstimate.Forecast::open);
    }

    /// The time that it may have added to one round of many weighs less with each that comes, so more rounds do help.
    @Test
    void aSingleLateRoundHoldsNoQuestionOpen() throws IOException {
        question("p50");
        lateInTheFirst(1, 4);

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict().heldByGenerator()).isEmpty();
        assertThat(PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, 0.1))
                .singleElement()
                .matches(PowerEstimate.Forecast::open);

        lateInTheFirst(5, 16);
        assertThat(verdict().outcome()).isEqualTo(Outcome.SAME);
    }

    /// Of two equal servers, with a late generator in the first round alone.
    private void lateInTheFirst(int from, int to) throws IOException {
        for (int round = from; round <= to; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1, 70 + round).withLag(round == 1 ? 0.2 : 0.01));
        }
    }

    @Test
    void moreRoundsDoNotHelpWhereTheGeneratorIsLate() throws IOException {
        question("p99");
        rounds(1.3, 1.2);

        assertThat(verdict().isDecided()).isFalse();
        assertThat(PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, 0.1))
                .singleElement()
                .matches(forecast -> !forecast.open());
    }

    @Test
    void aGeneratorThatWasVeryLateIsCountedWithAllThatItMayHaveAdded() throws IOException {
        question("p99");
        rounds(5, 4);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict.caveats()).hasSize(ROUNDS).allMatch(Caveat.Doubtful.class::isInstance);
        assertThat(verdict.estimate()).isNotNull();
        assertThat(verdict.estimate().change()).isBetween(3.6, 4.4);
        assertThat(verdict.estimate().low()).isBetween(2.2, 2.9); // without the 4 of 16 ms
        assertThat(verdict.decisive()).isEmpty();
    }

    @Test
    void aLateGeneratorIsNoReasonToLeaveOutProcessorTime() throws IOException {
        question("cpu");
        rounds(5, 4);

        assertThat(verdict().caveats()).hasSize(ROUNDS);
        assertThat(verdict().decided()).isNotNull();
        assertThat(verdict().decided().rounds()).isEqualTo(ROUNDS);
        assertThat(verdict().decisive()).isEmpty();
    }

    @Test
    void aLateGeneratorSaysNothingOfTheProcessorTime() throws IOException {
        question("cpu");
        rounds(1.3, 0.9);

        assertThat(verdict().caveats()).isNotEmpty();
        assertThat(verdict().decisive()).isEmpty();
    }

    @Test
    void aRoundThatIsMissingCouldChangeAnAnswer() throws IOException {
        question("p99");
        rounds(2, 0);
        fixture.step("sync", "put", ROUNDS + 1, SyntheticLoad.of(1, 9))
                .step("async", "put", ROUNDS + 1, "failed", "no memory");

        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict().caveats()).hasSize(2); // the failed step, and that a round is missing
        assertThat(verdict().decisive()).isEqualTo(verdict().caveats());
    }

    @Test
    void requestsThatFailAtOnceMakeAServerFast() throws IOException {
        question("p50");
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1, 70 + round).withFailures(0.6, 0));
        }

        assertThat(verdict().outcome()).isEqualTo(Outcome.MIXED);
        assertThat(verdict().decisive()).hasAtLeastOneElementOfType(Caveat.FailedRequests.class);
    }

    @Test
    void aFewFailuresChangeNothing() throws IOException {
        question("p50");
        for (int round = 1; round <= ROUNDS; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(3, 70 + round).withFailures(0.01, 0));
        }

        assertThat(verdict().caveats()).hasAtLeastOneElementOfType(Caveat.FailedRequests.class);
        assertThat(verdict().decisive()).isEmpty();
    }

    @Test
    void aColdRoundAmongMany() throws IOException {
        question("p99");
        rounds(2, 0);
        change("async", 2, "(?s)\"warmup\": \\{.*?}", "\"warmup\": {\"mode\": \"auto\", \"stable\": false}");

        assertThat(verdict().caveats()).containsExactly(new Caveat.Unstable("02-async-put"));
        assertThat(verdict().decisive()).isEmpty();
    }

    @Test
    void roundsWhoseProcessorsWereTakenAwayDecideWhereAllWere() throws IOException {
        question("p99");
        rounds(2, 0);
        for (int round = 1; round <= ROUNDS; round++) {
            change("async", round, "\"looks\": 0,\\s*\"disturbed\": 0", "\"looks\": 10, \"disturbed\": 3");
        }

        assertThat(verdict().caveats()).hasSize(ROUNDS).contains(new Caveat.Taken("01-async-put", 0.3));
        assertThat(verdict().decisive()).hasSize(ROUNDS);
    }

    @Test
    void whereThereIsNoAnswerNothingChangesIt() throws IOException {
        question("p99");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1))
                .step("async", "put", 1, SyntheticLoad.of(2.5, 2).withLag(0.95));

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(verdict().caveats()).isNotEmpty();
        assertThat(verdict().decisive()).isEmpty();
    }

    @Test
    void twoThingsThatChangedAtOnceCannotBeToldApart() throws IOException {
        fixture = new StudyFixture(folder)
                .variant("sync", 16)
                .variant("async", 64)
                .phase("put");
        question("p99");
        rounds(2, 0);

        assertThat(verdict().decisive()).containsExactly(new Caveat.UnlikeConnections(16, 64));
    }
}
