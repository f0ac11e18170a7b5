package kvant.bench.planted;

import static kvant.bench.planted.PlantedExperiment.USUAL_DURATION;
import static kvant.bench.planted.PlantedExperiment.USUAL_ROUNDS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import kvant.bench.planted.PlantedExperiment.Law;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.Identity;
import kvant.lab.run.Instruments;
import kvant.lab.run.LabRun;
import kvant.lab.run.LabRun.RunRequest;
import kvant.lab.run.Launch.KvantCommand;
import kvant.lab.run.RunListener;
import kvant.lab.run.ServedProcess.ServerException;
import kvant.load.loop.StopSwitch;
import kvant.load.run.RunResult;
import kvant.report.Study;
import kvant.report.sentence.Remarks;
import kvant.text.ProgressLine;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Runs of real nodes between which a difference is planted, judged as any run is.
///
/// Owned by the thread that calls.
final class RealTruth {

    private final KvantCommand kvant;
    private final Path out;
    private final Path work;
    private final ProgressLine line;
    private final StopSwitch stop;
    private final Runner runner;

    /// Makes one run, into a folder that is not there.
    interface Runner {
        LabRun.Outcome run(Experiment experiment, Path folder);
    }

    /// @param out where the folder of each run goes
    RealTruth(KvantCommand kvant, Path out, Path work, ProgressLine line, StopSwitch stop) {
        this(kvant, out, work, line, stop, null);
    }

    /// @param runner null for that of real nodes
    RealTruth(KvantCommand kvant, Path out, Path work, ProgressLine line, StopSwitch stop, @Nullable Runner runner) {
        this.kvant = kvant;
        this.out = out;
        this.work = work;
        this.line = line;
        this.stop = stop;
        this.runner = runner == null ? this::run : runner;
    }

    /// All kinds of runs in turn, so often. What the folder has of them already is read; what was stopped has
    /// those that were made.
    PlantedRuns run(TruthPlan plan) {
        PlantedRuns table = new PlantedRuns();
        List<Law> laws = plan.planted();
        long all = plan.runs() * laws.size() * PlantedExperiment.PLANTED.size();
        int number = 0;
        for (long run = 0; run < plan.runs(); run++) {
            for (Law law : laws) {
                for (double planted : PlantedExperiment.PLANTED) {
                    if (stop.isStopped()) {
                        return table;
                    }
                    number++;
                    add(table, experiment(law, planted, plan.seed() + run * USUAL_ROUNDS), number, all);
                }
            }
        }
        return table;
    }

    private static PlantedExperiment experiment(Law law, double planted, long seed) {
        return new PlantedExperiment(law, planted, USUAL_ROUNDS, USUAL_DURATION, seed);
    }

    private void add(PlantedRuns table, PlantedExperiment planted, int number, long all) {
        String name = String.format(Locale.ROOT, "%s, %.0f %%", planted.law().key(), 100 * planted.planted());
        Path folder = out.resolve(String.format(Locale.ROOT, "%04d", number));
        boolean there = LabRun.isComplete(folder);
        line.line("[" + number + "/" + all + "] " + name + (there ? ", as it was measured before" : ""));
        if (!there) {
            runAnew(planted.experiment(), folder);
        }
        if (stop.isStopped()) {
            return;
        }
        Law law = planted.law();
        PlantedRuns.Kind kind = new PlantedRuns.Kind(law.key(), law.time(), planted.planted());
        Study.outlook(folder, Double.NaN).forEach(forecast -> table.add(kind, forecast.verdict()));
    }

    /// Where a run was broken off, nothing of it is kept: its rounds belong together.
    private void runAnew(Experiment experiment, Path folder) {
        if (Files.exists(folder)) {
            LabRun.discard(folder);
        }
        LabRun.Outcome outcome = runner.run(experiment, folder);
        if (outcome.partialReason() != null && !stop.isStopped()) {
            line.note(folder + " is partial: " + Remarks.english(outcome.partialReason()));
        }
    }

    private LabRun.Outcome run(Experiment experiment, Path folder) {
        RunRequest request = new RunRequest(
                experiment,
                null,
                folder,
                work,
                kvant,
                _ -> "",
                "TruthOfRealNodesTest",
                new Identity("test", null, false));
        try {
            return LabRun.run(request, new Bare(), new RunListener() {}, stop);
        } catch (ServerException e) {
            throw new UserException("no node can be started: " + Remarks.english(e.reason()), e);
        }
    }

    /// Nothing but the figures: a report of each of hundreds of runs is not read.
    private static final class Bare implements Instruments {

        @Override
        public void writeSlow(RunResult result, Path slow) {}

        @Override
        public void attribute(Path load, Path slow, @Nullable Path recording, Path tail) {}

        @Override
        public void report(Path folder) {}
    }
}
