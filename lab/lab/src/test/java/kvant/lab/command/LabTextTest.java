package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Experiments;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Metric;
import kvant.report.verdict.PowerEstimate.Forecast;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import org.junit.jupiter.api.Test;

/// The printed answers of a run.
class LabTextTest {

    /// Of four rounds, that leave the question open.
    private static Forecast open(long fixedRounds) {
        Metric metric = Metric.percentile(50);
        Estimate estimate = new Estimate(1e6, 1.1e6, 0.1, -0.2, 0.5, 4, 4, Estimate.Unit.ROUND, 0);
        Decided decided = new Decided(metric, 2, 4, Basis.ROUNDS, 0.95, 3, 0.1, estimate, null, 0, 0, 0, null, null);
        Verdict verdict =
                new Verdict("put", "p50", "a", "b", Outcome.UNDERPOWERED, decided, null, List.of(), List.of());
        Question question = new Question("tail", "?", "", List.of("a", "b"), "put", "p50", 0.1);
        return new Forecast(question, verdict, 0.1, 0.3, fixedRounds, 2 * fixedRounds, true);
    }

    @Test
    void anOpenQuestionSaysHowManyRoundsWouldTell() {
        assertThat(LabText.answer(open(4)))
                .startsWith("tail, put: Too noisy to tell b from a at p50: 4 rounds differ")
                .doesNotContain("would tell");
        assertThat(LabText.answer(open(200))).endsWith(" About 200 rounds would tell ('--repeats').");
        assertThat(LabText.rounds(200)).isEqualTo("200");
    }

    /// Such as one whose answer depends on a single block: the run continues.
    @Test
    void whatARunContinuesWithIsOpenInItsPlanToo() {
        Forecast open = open(4);
        Verdict verdict = open.verdict();
        Verdict same = new Verdict("put", "p50", "a", "b", Outcome.SAME, verdict.decided(), null, List.of(), List.of());

        assertThat(LabPlanCommand.now(new Forecast(open.question(), same, 0.1, 0.3, 4, 8, true)))
                .isEqualTo("open");
        assertThat(LabPlanCommand.now(new Forecast(open.question(), same, 0.1, 0.3, 4, 8, false)))
                .isEqualTo("decided");
    }

    /// The forecast names the missing figures, and gives no number of rounds.
    @Test
    void whatCannotBeToldSaysWhy() {
        Forecast open = open(0);
        Verdict verdict = open.verdict();
        Decided one = new Decided(
                Metric.percentile(50),
                2,
                1,
                Basis.SINGLE_ROUND,
                0.95,
                3,
                0.1,
                verdict.estimate(),
                null,
                0,
                0,
                0,
                null,
                null);
        Verdict unknown = new Verdict("put", "p50", "a", "b", Outcome.UNKNOWN, one, null, List.of(), List.of());

        assertThat(LabText.answer(new Forecast(open.question(), unknown, 0.1, 0.3, 0, 0, true)))
                .isEqualTo("tail, put: Too little to tell b from a at p50, with 2 cores."
                        + " A single round cannot say how much rounds differ, so that nothing is claimed.");
    }

    @Test
    void moreRoundsThanARunMayHaveAreNoAdvice() {
        assertThat(LabText.answer(open(201)))
                .endsWith(" More than 200 rounds would tell, more than a run may have.")
                .doesNotContain("--repeats");
        assertThat(LabText.rounds(201)).isEqualTo("> 200");
    }

    /// Fourteen variants and two loads: 28 steps a round, and one of each under the profiler.
    @Test
    void roundsThatARunHasNoRoomForSaySo() {
        String names = IntStream.range(0, 14)
                .mapToObj(i -> "  - {name: v" + i + ", serve: {executor: sync}}\n")
                .collect(Collectors.joining());
        Experiment experiment = Experiments.read(
                "wide.yaml",
                "name: wide\ntitle: Wide\nvariants:\n" + names
                        + "load: {rate: 100, duration: 1s}\nphases:\n  - {name: put, workload: put}\n"
                        + "  - {name: get, workload: get, prefill: 500}\nprofile: {events: [cpu]}\n",
                Path.of("/somewhere"),
                Scale.FULL);

        assertThat(experiment.mostRepeats()).isEqualTo((2000 - 28) / 28);
        assertThat(LabText.tooManySteps(experiment, List.of(open(70)))).isEmpty();
        assertThat(LabText.tooManySteps(experiment, List.of(open(201)))).isEmpty();
        assertThat(LabText.tooManySteps(experiment, List.of(open(70), open(71), open(90))))
                .hasValue("90 rounds of all variants and loads are more than 2,000 steps, and a run has no more: "
                        + "leave some out with '--variants' and '--phases'.");
    }
}
