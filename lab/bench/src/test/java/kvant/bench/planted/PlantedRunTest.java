package kvant.bench.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import kvant.bench.planted.PlantedExperiment.Law;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.Identity;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.Instruments;
import kvant.lab.run.LabRun;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.Launch.KvantCommand;
import kvant.lab.run.RunListener;
import kvant.load.loop.StopSwitch;
import kvant.load.result.LoadResult;
import kvant.load.result.ResultFile;
import kvant.report.Study;
import kvant.report.verdict.PowerEstimate;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Outcome;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs of [TruthOfRealNodesTest]: two real nodes, one of which is five times as slow. A busy machine may leave
/// nothing to judge by; what is judged is judged rightly, and no request of either is faster than what was planted.
@Tag("full") // two minutes: rounds until they are decided
@Timeout(300)
class PlantedRunTest {

    private static final double FIVE_TIMES = 4;
    private static final int ROUNDS = 3;

    @TempDir
    private Path folder;

    private final Instruments bare = new Instruments() {
        @Override
        public void report(Path results) {}
    };

    private Path run(Law law, Duration duration) throws Exception {
        Experiment experiment = new PlantedExperiment(law, FIVE_TIMES, ROUNDS, duration, 1).experiment();
        Path results = folder.resolve("out");
        List<String> bench = QuickNodes.running(PlantedNode.class.getName());
        RunRequest request = new RunRequest(
                experiment,
                null,
                results,
                Files.createDirectories(folder.resolve("work")),
                new KvantCommand(QuickNodes.java("-Xmx128m"), List.of(), bench),
                _ -> "",
                "PlantedRunTest",
                new Identity("1", null, false));

        LabRun.Outcome outcome = LabRun.run(request, bare, new RunListener() {}, new StopSwitch());

        assertThat(outcome.partialReason()).isNull();
        return results;
    }

    private static void assertFoundWhereJudged(Law law, Path results) {
        List<Verdict> verdicts = Study.outlook(results, Double.NaN).stream()
                .map(PowerEstimate.Forecast::verdict)
                .toList();
        assertThat(verdicts).hasSize(1);
        Verdict verdict = verdicts.getFirst();
        if (!verdict.isDecided()) {
            return; // the machine stood still for a part of a round, or the generator was late
        }
        PlantedRuns table = new PlantedRuns();
        table.add(new PlantedRuns.Kind(law.key(), law.time(), FIVE_TIMES), verdict);

        assertThat(verdict.outcome()).as(verdict::toString).isEqualTo(Outcome.WORSE);
        assertThat(table.lines().get(2)).startsWith("| " + law.key() + " | 400 % | 1 | 1 | 100 % | 0 % | 0 % | ");
    }

    @Test
    void aPlantedDelayIsInEachRequestAndIsFound() throws Exception {
        Path results = run(Law.DELAY, Duration.ofMillis(500));

        for (StepRecord step : RunRecord.read(results).steps()) {
            LoadResult load =
                    ResultFile.read(results.resolve("runs").resolve(step.id()).resolve("load.json"));
            long planted = Law.DELAY.time().toNanos() * (step.variant().equals(PlantedExperiment.B) ? 5 : 1);
            assertThat(load.requests().answered())
                    .isEqualTo(load.requests().due())
                    .isBetween(20L, 90L); // 50 on average, at random
            assertThat(load.latency().response().histogram().getMinValue())
                    .as(step.id())
                    .isGreaterThanOrEqualTo((long) (0.99 * planted)); // as histograms round
        }
        assertFoundWhereJudged(Law.DELAY, results);
    }

    /// A quarter of the requests, of which a round has to have enough for the percentile that shows them.
    @Test
    void aSlowQuarterOfTheLookupsIsFound() throws Exception {
        assertFoundWhereJudged(Law.SLOW, run(Law.SLOW, PlantedExperiment.USUAL_DURATION));
    }
}
