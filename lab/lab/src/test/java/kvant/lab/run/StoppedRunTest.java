package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Step;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.Window;
import org.junit.jupiter.api.Test;

/// Files and figures left by a stopped run, and the steps that are measured again.
class StoppedRunTest extends LabRunFixture {

    private void run(Experiment experiment, RunListener heard) throws IOException {
        LabRun.run(request(experiment, _ -> ""), new Instruments() {}, heard, stop);
    }

    private Path runs() {
        return folder.resolve("out/runs");
    }

    /// A part of a step would be read as figures of it.
    @Test
    void aStepThatIsStoppedInItsWarmUpLeavesNoFiles() throws IOException {
        run(twoNodes().withPhases(phase -> phase.with("warmup", "60s")), new RunListener() {
            @Override
            public void warming(Window window, double seconds) {
                stop.stop();
            }
        });

        assertThat(statuses()).containsExactly("01-a-put planned", "01-b-put planned");
        assertThat(runs()).isEmptyDirectory();
    }

    @Test
    void aRoundThatIsStoppedLeavesNoFiles() throws IOException {
        run(twoNodes().withDisturbed(new HostBound(Double.NaN, 0, Duration.ofMillis(100))), new RunListener() {
            @Override
            public void turn(Step step) {
                if (step.variant().equals("b")) {
                    stop.stop();
                }
            }
        });

        assertThat(statuses()).containsExactly("01-a-put planned", "01-b-put planned");
        assertThat(runs()).isEmptyDirectory();
    }

    /// It was disturbed, and there was to be another one: it would not have counted.
    @Test
    void anAttemptThatWasThrownAwayIsNoneWhenTheNextOneIsStopped() throws IOException {
        Experiment one = twoNodes().only(List.of("a"), List.of());
        run(one.withDisturbed(new HostBound(-1, 2)), new RunListener() {
            private boolean again;

            @Override
            public void disturbed(Step step, Set<Disturbance> by) {
                again = true;
            }

            @Override
            public void measured(Window window, double seconds, double ofSeconds) {
                if (again) {
                    stop.stop();
                }
            }
        });

        assertThat(statuses()).containsExactly("01-a-put planned");
        assertThat(runs()).isEmptyDirectory();
    }

    @Test
    void theFirstAttemptOfARunThatWasKilledInTheSecondIsDeleted() throws IOException {
        run(twoNodes().only(List.of("a"), List.of()));
        Files.createDirectories(runs().resolve("01-a-put_before"));
        resume();

        assertThat(runs()).isDirectoryNotContaining("glob:**_before");
        assertThat(statuses()).containsExactly("01-a-put done");
    }

    @Test
    void aStepWhoseFiguresAreGoneIsMeasuredAgain() throws IOException {
        run(twoNodes());
        Files.delete(runs().resolve("01-a-put/load.json"));
        told.clear();
        resume();
        assertThat(told).containsExactly("01-a-put 1/1");

        Files.writeString(runs().resolve("01-b-put/load.json"), "{\"schema\": \"kvant-load/1\"}");
        told.clear();
        resume();
        assertThat(told).containsExactly("01-b-put 1/1");
        assertThat(statuses()).containsExactly("01-a-put done", "01-b-put done");
    }

    @Test
    void whatBecameOfTheRequestsOfAStepIsToldOfAllOfItsSlices() throws IOException {
        Map<String, Long> answered = new TreeMap<>();
        Experiment experiment = twoNodes().withPhases(phase -> phase.with("duration", "400ms"));
        HostBound turns = new HostBound(Double.NaN, 0, Duration.ofMillis(200));
        run(experiment.withDisturbed(turns), new RunListener() {
            @Override
            public void answered(Step step, RequestCounts counts) {
                answered.put(step.id(), counts.of(Count.ANSWERED));
            }
        });

        assertThat(answered).containsOnlyKeys("01-a-put", "01-b-put");
        assertThat(answered.values()).allMatch(count -> count > 60, "of 2 slices of 200 ms at 200 a second");
    }
}
