package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import kvant.report.Study;
import kvant.report.SyntheticLoad;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Questions about failed requests: rounds are pairs, and their shares are compared by differences.
class FailuresTest extends TwoVariants {

    @BeforeEach
    void whichFailsMore() {
        question("errors");
    }

    /// One round for each share, which fails in B; in A nothing does.
    private void rounds(double... shares) throws IOException {
        for (int round = 1; round <= shares.length; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1, 70 + round).withFailures(shares[round - 1], 0));
        }
    }

    private String headline() throws IOException {
        return Remarks.english(VerdictSentences.headline(verdict()));
    }

    private List<String> details() throws IOException {
        return VerdictSentences.details(verdict()).stream()
                .map(Remarks::english)
                .toList();
    }

    @Test
    void aVariantThatFailsMoreInEachRoundIsWorseByADifference() throws IOException {
        rounds(0.05, 0.05, 0.05);

        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(headline())
                .matches("async fails more requests than sync: [45]\\.\\d % versus 0 %, [34]\\.\\d % to [56]\\.\\d %"
                        + " of all requests more, with 2 cores\\.");
        assertThat(details())
                .containsExactly(
                        "95 % confidence, from the differences within 3 rounds that alternate the variants.",
                        "Shares of failed requests are compared by their difference. The interval is never narrower"
                                + " than the exact one of the counts.");
        assertThat(verdict().caveats()).as("failures are asked about").isEmpty();
    }

    /// By the sum of its rounds it would fail more beyond any doubt.
    @Test
    void aBurstInOneRoundIsNoDifferenceOfTheVariants() throws IOException {
        rounds(0, 0, 0, 0.1);

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict().isDecided()).isFalse();
        assertThat(headline())
                .matches("Too noisy to tell async from sync in failed requests: 4 rounds differ so much that a"
                        + " difference of 1\\d % of all requests could hide: 2\\.\\d % versus 0 %"
                        + " \\(−[\\d.]+ % to \\+1\\d %\\), with 2 cores\\.");
        assertThat(Remarks.english(VerdictSentences.badge(verdict()))).isEqualTo("too noisy to tell");
    }

    /// By Student's t the difference could be 180 %.
    @Test
    void aDifferenceOfSharesIsNoLargerThanAll() throws IOException {
        rounds(0.9, 0, 0.9);

        assertThat(verdict().failures().high()).isEqualTo(1);
        assertThat(verdict().failures().low()).isBetween(-1.0, 0.0);
        assertThat(headline()).contains("a difference of 100 % of all requests could hide", " to +100 %)");
    }

    @Test
    void twoRoundsThatDisagreeLeaveAllSharesOpen() throws IOException {
        rounds(0.9, 0);

        assertThat(verdict().failures().low()).isEqualTo(-1);
        assertThat(verdict().failures().high()).isEqualTo(1);
    }

    @Test
    void whereNothingFailsTheExactBoundOfTheCountsAnswers() throws IOException {
        rounds(0, 0, 0);

        assertThat(verdict().outcome()).isEqualTo(Outcome.SAME);
        assertThat(headline())
                .isEqualTo("No difference of 0.10 % of all requests or more between async and sync in failed requests:"
                        + " 0 % versus 0 % (−0.03 % to +0.03 %), with 2 cores.");
        assertThat(Remarks.english(VerdictSentences.badge(verdict())))
                .isEqualTo("no difference of 0.10 % of all requests or more");
    }

    @Test
    void fewRequestsRuleNothingOut() throws IOException {
        for (int round = 1; round <= 3; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round).withSize(12, 10))
                    .step("async", "put", round, SyntheticLoad.of(1, 70 + round).withSize(12, 10));
        }

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(headline())
                .startsWith("Too few requests to tell async from sync in failed requests: in 3 rounds a difference of"
                        + " 1.2 % of all requests could hide");
        assertThat(Remarks.english(VerdictSentences.badge(verdict()))).isEqualTo("too few requests to tell");
    }

    @Test
    void twoRoundsAreJudgedByTheirCountsAndOneByNothing() throws IOException {
        rounds(0.05, 0.05);
        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(details())
                .contains("95 % confidence, from the counts of two rounds only: how much a repetition would differ is"
                        + " hardly known.");
    }

    @Test
    void aSingleRoundClaimsNothing() throws IOException {
        rounds(0.5);
        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(headline()).isEqualTo("Too little to tell async from sync at failed requests, with 2 cores.");
        assertThat(details()).contains("A single round cannot say how much rounds differ, so that nothing is claimed.");
    }

    @Test
    void aRunUntilDecidedTakesFourBlocks() throws IOException {
        fixture.untilDecided();
        rounds(0.05, 0.05, 0.05, 0.05, 0.05, 0.05);
        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(verdict().decided().basis()).isEqualTo(Basis.FEW_ROUNDS);
    }

    @Test
    void fourBlocksAreEnough() throws IOException {
        fixture.untilDecided();
        rounds(0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(verdict().outcome()).isEqualTo(Outcome.SAME);
        assertThat(verdict().decided().basis()).isEqualTo(Basis.SEQUENCE);
    }

    private void without(int from, int to) throws IOException {
        for (int round = from; round <= to; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, "failed", "no memory");
        }
    }

    @Test
    void roundsThatAreMissingCouldChangeAnAnswer() throws IOException {
        rounds(0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05);
        without(9, 12);

        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict().decisive()).isNotEmpty().hasSameSizeAs(verdict().caveats());
    }

    @Test
    void thePictureAndTheJsonHaveTheDifferenceInPoints() throws IOException {
        rounds(0.05, 0.05, 0.05);
        Study.report(fixture.write(), List.of(Language.EN));

        assertThat(Files.readString(folder.resolve("report.html")).replace('\u00a0', ' '))
                .containsPattern("failures · put</span><span class=\"row-value\">worse, \\+[45]\\.\\d+ pp"
                        + " \\(\\+[34]\\.\\d+ pp to \\+[56]\\.\\d+ pp\\)");
        assertThat(Files.readString(folder.resolve("report.json")))
                .containsPattern("\"failedPercentA\": 0\\.0")
                .containsPattern("\"lowPoints\": [34]\\.\\d+");
    }
}
