package kvant.lab.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.HostBound;
import kvant.lab.experiment.Niceness;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Published;
import kvant.lab.experiment.Question;
import kvant.lab.experiment.Server;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.Machine;
import kvant.lab.result.Missing;
import kvant.lab.result.PhaseRecord;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.result.VariantRecord;
import kvant.load.result.RecordJson;
import kvant.load.result.ResultFile;
import kvant.load.search.Objective;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Writes down what was run where, and how far it is, and goes on from there.
final class RunFile {

    private RunFile() {}

    static void write(Path folder, RunRequest request, Machine machine, RunState state) {
        Folders.write(folder.resolve(RunRecord.NAME), RecordJson.write(record(request, machine, state)));
    }

    static RunRecord record(RunRequest request, Machine machine, RunState state) {
        @Nullable Remark reason = state.partialReason();
        Experiment experiment = state.experiment();
        return new RunRecord(
                RunRecord.SCHEMA,
                experiment(state),
                request.command(),
                state.startedAt(),
                Instant.now().toString(),
                reason == null ? RunRecord.Status.COMPLETE : RunRecord.Status.PARTIAL,
                reason,
                machine,
                request.identity(),
                experiment.variants().stream()
                        .map(one -> variant(one, experiment.nice(), state.version(one.name())))
                        .toList(),
                experiment.phases().stream().map(RunFile::phase).toList(),
                state.steps(),
                state.missing(),
                state.warnings(),
                new RunRecord.Cost(
                        state.generatorBusiest(),
                        state.profilerRatio(one -> one.process().cpuNanosPerRequest()),
                        state.profilerRatio(StepRecord::p99Nanos)));
    }

    private static ExperimentRecord experiment(RunState state) {
        Experiment experiment = state.experiment();
        @Nullable Objective objective = experiment.objective();
        return new ExperimentRecord(
                experiment.letter(),
                experiment.name(),
                experiment.title(),
                experiment.titleRu(),
                experiment.description(),
                experiment.descriptionRu(),
                experiment.source(),
                experiment.scale().key(),
                experiment.repeats(),
                experiment.questions().stream().map(RunFile::question).toList(),
                objective == null
                        ? null
                        : new ExperimentRecord.Objective(objective.percentile(), objective.limitNanos()),
                experiment.published().stream().map(RunFile::published).toList(),
                state.untilDecided(),
                experiment.disturbed().above(),
                experiment.disturbed().again(),
                experiment.disturbed().slice().toNanos());
    }

    private static ExperimentRecord.Question question(Question question) {
        return new ExperimentRecord.Question(
                question.id(),
                question.text(),
                question.textRu(),
                question.compare(),
                question.phase(),
                question.metric(),
                question.margin());
    }

    private static ExperimentRecord.Published published(Published figures) {
        return new ExperimentRecord.Published(
                figures.variant(), figures.phase(), figures.millis(), figures.note(), figures.noteRu());
    }

    private static VariantRecord variant(Variant variant, Niceness nice, String version) {
        return switch (variant.server()) {
            case Server.Kvant node ->
                new VariantRecord(
                        variant.name(),
                        variant.title(),
                        variant.titleRu(),
                        nice.of(node.commandLine()),
                        "kvant",
                        variant.connections(),
                        node.flags(),
                        node.jvm(),
                        variant.phases(),
                        version);
            case Server.External external ->
                new VariantRecord(
                        variant.name(),
                        variant.title(),
                        variant.titleRu(),
                        nice.of(external.command()),
                        "external",
                        variant.connections(),
                        Map.of(),
                        external.jvm(),
                        variant.phases(),
                        version);
        };
    }

    private static PhaseRecord phase(Phase phase) {
        boolean auto = phase.pace().warmup().auto();
        return new PhaseRecord(
                phase.name(),
                phase.workload().name(),
                phase.pace().isClosed() ? Double.NaN : phase.pace().rate(),
                phase.pace().duration().toNanos(),
                phase.clients().connections(),
                phase.clients().threads(),
                phase.clients().depth(),
                phase.prefill(),
                phase.workload().keys(),
                phase.workload().values().text(),
                auto ? "auto" : phase.pace().warmup().limit().toMillis() + "ms");
    }

    private static boolean isOf(Experiment experiment, StepRecord step) {
        return experiment.variants().stream().anyMatch(one -> one.name().equals(step.variant()))
                && experiment.phases().stream().anyMatch(one -> one.name().equals(step.phase()));
    }

    /// How far a run came that was broken off. What cannot be read of it is run again. Which blocks are left out was
    /// settled when it began.
    static RunState restored(RunRecord run, ResultFolder results, Experiment given) {
        Experiment experiment = given.withDisturbed(new HostBound(
                run.experiment().disturbedAbove(),
                run.experiment().again(),
                Duration.ofNanos(run.experiment().interleavedNanos())));
        List<Missing> missing = new ArrayList<>(run.missing());
        missing.removeIf(Missing::isTriedAgain);
        RunState state = new RunState(experiment, run.experiment().untilDecided(), run.startedAt(), run.warnings());
        List<Step> further = run.steps().stream()
                .filter(one -> isOf(experiment, one))
                .map(one -> new Step(one.id(), one.variant(), one.phase(), one.repeat(), one.profiled()))
                .toList();
        state.extend(further);
        missing.forEach(one -> state.missing(one.what(), one.why()));
        run.steps().stream()
                .filter(StepRecord::isDone)
                .filter(one -> hasFigures(results, one))
                .forEach(state::put);
        return state;
    }

    /// A step whose figures are gone is as one that was never measured.
    private static boolean hasFigures(ResultFolder results, StepRecord done) {
        Path load = results.resolve("runs").resolve(done.id()).resolve("load.json");
        try {
            Histogram _ = ResultFile.read(load).latency().response().histogram();
            return true;
        } catch (UserException _) {
            return false;
        }
    }
}
