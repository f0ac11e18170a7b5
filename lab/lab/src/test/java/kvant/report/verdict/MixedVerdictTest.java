package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import kvant.report.Study;
import kvant.report.SyntheticLoad;
import kvant.report.sentence.Remarks;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;

/// A variant that is better by its figure and fails more, whichever of the two is named first.
class MixedVerdictTest extends TwoVariants {

    /// One round for each share, which fails in the async variant; it takes half the time.
    private void rounds(double... shares) throws IOException {
        for (int round = 1; round <= shares.length; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step(
                            "async",
                            "put",
                            round,
                            SyntheticLoad.of(0.5, 9 + round).withFailures(shares[round - 1], 0));
        }
    }

    @Test
    void itIsMixedWhicheverIsNamedFirst() throws IOException {
        fixture.question("?", "", "put", "p50", "async", "sync");
        rounds(0.2, 0.2, 0.2);

        assertThat(verdict().outcome()).isEqualTo(Outcome.MIXED);
        assertThat(verdict().failsMore()).isFalse();
        assertThat(Remarks.english(VerdictSentences.headline(verdict())))
                .startsWith("sync takes")
                .endsWith("But async failed 19 % of its requests (sync: 0 %), so it is not better.");
    }

    @Test
    void reportsSayWhichWayItIsMixed() throws IOException {
        fixture.question("?", "", "put", "p50", "async", "sync").question("?", "", "put", "p50", "sync", "async");
        rounds(0.2, 0.2, 0.2);
        Study.report(fixture.write(), Language.list("en,ru"));

        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("worse, but fails less", "better, but fails more");
        assertThat(Files.readString(folder.resolve("report.ru.md")))
                .contains("хуже, но меньше отказов", "лучше, но больше отказов");
    }

    /// By the sum of its rounds it would fail more beyond any doubt.
    @Test
    void aBurstInOneRoundSpeaksAgainstNoVariant() throws IOException {
        question("p50");
        rounds(0, 0, 0, 0.1);

        assertThat(verdict().outcome()).isEqualTo(Outcome.BETTER);
        assertThat(verdict().caveats()).hasAtLeastOneElementOfType(Caveat.FailedRequests.class);
    }
}
