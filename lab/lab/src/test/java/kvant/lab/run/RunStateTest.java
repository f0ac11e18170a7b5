package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Experiments;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import org.junit.jupiter.api.Test;

/// Which steps come next.
class RunStateTest {

    private static final Experiment EXPERIMENT = Experiments.read("e.yaml", """
            name: e
            title: t
            repeats: 2
            variants: [{name: a}, {name: b}, {name: c}]
            load: {rate: 100, prefill: 1k}
            phases: [{name: put, workload: put, prefill: 0}, {name: get, workload: get}, {name: scan, workload: scan}]
            """, Path.of("/"), Scale.FULL);

    private static final List<Instruments.Undecided> OPEN =
            List.of(open("b", "put"), open("c", "get"), open("b", "scan"));

    private static Instruments.Undecided open(String b, String phase) {
        return new Instruments.Undecided("q", "a", b, phase, 0.1, 4, 0);
    }

    private static List<String> next(Predicate<List<Step>> fits) {
        return RunState.begin(EXPERIMENT, null, List.of()).nextBlock(OPEN, fits).stream()
                .map(Step::id)
                .toList();
    }

    @Test
    void aBlockHasWhatItsQuestionsNeedAndNothingElse() {
        assertThat(next(_ -> true))
                .containsExactlyInAnyOrder(
                        "03-a-put",
                        "03-b-put",
                        "04-a-put",
                        "04-b-put",
                        "03-a-get",
                        "03-c-get",
                        "04-a-get",
                        "04-c-get",
                        "03-a-scan",
                        "03-b-scan",
                        "04-a-scan",
                        "04-b-scan");
    }

    /// A run of eleven loads that had ten minutes left, and no time for a block of all of them, ended with no answer.
    @Test
    void whereThereIsNoTimeForAllTheFirstOnesGoOn() {
        assertThat(next(steps -> steps.size() <= 11))
                .containsExactlyInAnyOrder(
                        "03-a-put", "03-b-put", "04-a-put", "04-b-put", "03-a-get", "03-c-get", "04-a-get", "04-c-get");
    }

    @Test
    void aQuestionThatDoesNotFitMakesRoomForALaterOne() {
        assertThat(next(steps -> steps.stream().noneMatch(step -> step.phase().equals("put")) && steps.size() <= 4))
                .containsExactlyInAnyOrder("03-a-get", "03-c-get", "04-a-get", "04-c-get");
    }

    /// Six steps that failed took five minutes off the time of a run that never runs them again.
    @Test
    void whatFailedIsNotStillToBeRun() {
        RunState state = RunState.begin(EXPERIMENT, null, List.of());
        Step first = EXPERIMENT.plan().getFirst();
        state.put(first.unmeasured(StepRecord.Status.FAILED, new Remark.StoppedBeforeItsEnd()));

        assertThat(state.open()).contains(first);
        assertThat(state.planned())
                .doesNotContain(first)
                .hasSize(EXPERIMENT.plan().size() - 1);
    }

    @Test
    void nothingComesNextWhereNothingFits() {
        assertThat(next(_ -> false)).isEmpty();
    }
}
