package kvant.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Metric;
import kvant.report.verdict.Outlook.Forecast;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.junit.jupiter.api.Test;

/// What is printed of the answers of a run.
class LabTextTest {

    /// Of four rounds, that leave the question open.
    private static Forecast open(long fixedRounds) {
        Metric metric = Metric.percentile(50);
        Estimate estimate = new Estimate(1e6, 1.1e6, 0.1, -0.2, 0.5, 4, Estimate.Unit.ROUND, 0);
        Decided decided = new Decided(metric, 2, 4, Basis.ROUNDS, 0.95, 3, 0.1, estimate, null, 0, 0, 0, null, null);
        Verdict verdict =
                new Verdict("put", "p50", "a", "b", Outcome.UNDERPOWERED, decided, null, List.of(), List.of());
        Question question = new Question("tail", "?", "", List.of("a", "b"), "put", "p50", 0.1);
        return new Forecast(question, verdict, 0.1, 0.3, fixedRounds, 2 * fixedRounds, true);
    }

    @Test
    void anOpenQuestionSaysHowManyRoundsWouldTell() {
        assertThat(LabText.answer(open(4)))
                .startsWith("tail, put: Underpowered")
                .doesNotContain("would tell");
        assertThat(LabText.answer(open(200))).endsWith(" About 200 rounds would tell ('--repeats').");
        assertThat(LabText.rounds(200)).isEqualTo("200");
    }

    @Test
    void moreRoundsThanARunMayHaveAreNoAdvice() {
        assertThat(LabText.answer(open(201)))
                .endsWith(" More than 200 rounds would tell, more than a run may have.")
                .doesNotContain("--repeats");
        assertThat(LabText.rounds(201)).isEqualTo("> 200");
    }
}
