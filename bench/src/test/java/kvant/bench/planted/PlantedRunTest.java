package kvant.bench.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.bench.QuickNodes;
import kvant.bench.QuickStart;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.PlantedExperiment;
import kvant.lab.experiment.PlantedExperiment.Law;
import kvant.lab.result.Identity;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.Instruments;
import kvant.lab.run.KvantCommand;
import kvant.lab.run.LabRun;
import kvant.lab.run.RunListener;
import kvant.lab.run.RunRequest;
import kvant.load.loop.StopSwitch;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.report.Study;
import kvant.report.truth.PlantedRuns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One run of `kvant lab truth --real`: two real nodes, one of which is five times as slow. How a busy
/// machine spreads their figures decides the verdict; that no request of either is faster than what was
/// planted does not depend on it.
@Timeout(300)
class PlantedRunTest {

    private static final double FIVE_TIMES = 4;

    @TempDir
    private Path folder;

    private final Instruments bare = new Instruments() {
        @Override
        public void report(Path results) {}
    };

    @Test
    void aPlantedDelayIsInEachRequestAndTheRunIsJudged() throws Exception {
        Experiment experiment = new PlantedExperiment(Law.DELAY, FIVE_TIMES, 3, Duration.ofMillis(500), 1).experiment();
        Path results = folder.resolve("out");
        List<String> bench = QuickNodes.running(QuickStart.class.getName(), "bench");
        RunRequest request = new RunRequest(
                experiment,
                null,
                results,
                Files.createDirectories(folder.resolve("work")),
                new KvantCommand(QuickNodes.java("-Xmx128m"), List.of(), bench),
                _ -> "",
                "kvant lab truth --real",
                new Identity("1", null, false));

        LabRun.Outcome outcome = LabRun.run(request, bare, new RunListener() {}, new StopSwitch());

        assertThat(outcome.partialReason()).isNull();
        for (StepRecord step : RunRecord.read(results).steps()) {
            LoadResult load =
                    ResultFile.read(results.resolve("runs").resolve(step.id()).resolve("load.json"));
            long planted = Law.DELAY.time().toNanos() * (step.variant().equals(PlantedExperiment.B) ? 5 : 1);
            assertThat(load.requests().answered()).isEqualTo(50);
            assertThat(load.latency().response().histogram().getMinValue())
                    .as(step.id())
                    .isGreaterThanOrEqualTo((long) (0.99 * planted)); // as histograms round
        }
        PlantedRuns table = new PlantedRuns();
        Study.verdicts(results).forEach(verdict -> table.add("delay", FIVE_TIMES, verdict));
        assertThat(table.lines().getLast()).startsWith("| delay | 400 % | 1 | ");
    }
}
