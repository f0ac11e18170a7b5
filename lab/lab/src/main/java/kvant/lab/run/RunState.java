package kvant.lab.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.HostBound;
import kvant.lab.experiment.Niceness;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Server;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.ExperimentRecord.Look;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Machine;
import kvant.lab.result.Missing;
import kvant.lab.result.PhaseRecord;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.result.VariantRecord;
import kvant.load.result.ResultFile;
import kvant.load.search.Objective;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// How far a run is: what run.json tells.
///
/// Owned by the thread of the run.
final class RunState {

    private final Experiment experiment;
    private final String startedAt;
    private final List<Remark> warnings;
    private @Nullable UntilDecided untilDecided;
    private final Map<String, Step> plan = new LinkedHashMap<>();
    private final Map<String, StepRecord> steps = new LinkedHashMap<>();
    private final List<Missing> missing = new ArrayList<>();
    private final Map<String, String> versions = new LinkedHashMap<>();

    RunState(Experiment experiment, @Nullable UntilDecided untilDecided, String startedAt, List<Remark> warnings) {
        this.experiment = experiment;
        this.untilDecided = untilDecided;
        this.startedAt = startedAt;
        this.warnings = new ArrayList<>(warnings);
        extend(experiment.plan());
    }

    static RunState begin(Experiment experiment, @Nullable UntilDecided untilDecided, List<Remark> warnings) {
        return new RunState(experiment, untilDecided, Instant.now().toString(), warnings);
    }

    /// Plans more steps; those that are planned already stay as they are.
    void extend(List<Step> more) {
        for (Step step : more) {
            plan.putIfAbsent(step.id(), step);
            steps.putIfAbsent(step.id(), step.unmeasured(StepRecord.Status.PLANNED, null));
        }
    }

    /// What comes next in a run that goes on until each question has its answer: one more block of those
    /// variants and phases that a question still needs. Where there is no longer time for all of it, it is of as
    /// many questions as there is time for, the first ones first. Empty where nothing is open, or the bounds of
    /// an experiment are reached.
    ///
    /// @param fits whether there is time for these steps
    List<Step> nextBlock(List<Instruments.Undecided> open, Predicate<List<Step>> fits) {
        List<Step> next = block(open);
        if (next.isEmpty() || fits.test(next)) {
            return next;
        }
        List<Instruments.Undecided> chosen = new ArrayList<>();
        next = List.of();
        for (Instruments.Undecided one : open) {
            chosen.add(one);
            List<Step> more = block(chosen);
            if (fits.test(more)) {
                next = more;
            } else {
                chosen.removeLast();
            }
        }
        return next;
    }

    private List<Step> block(List<Instruments.Undecided> open) {
        Set<String> needed = new HashSet<>();
        for (Instruments.Undecided one : open) {
            needed.add(one.phase() + " " + one.a());
            needed.add(one.phase() + " " + one.b());
        }
        int block = (repeats() + 1) / Step.ROUNDS + 1;
        List<Step> next = experiment.block(block).stream()
                .filter(step -> needed.contains(step.phase() + " " + step.variant()))
                .toList();
        boolean bounded =
                block * Step.ROUNDS <= Experiment.MOST_REPEATS && plan.size() + next.size() <= Experiment.MOST_STEPS;
        return bounded ? next : List.of();
    }

    @Nullable
    UntilDecided untilDecided() {
        return untilDecided;
    }

    /// Answers are looked at with the rounds that are there. What looks there were is part of what they are judged by.
    ///
    /// @param spent share of the time that the run may take
    void look(double spent) {
        untilDecided = Objects.requireNonNull(untilDecided).with(new Look(repeats(), spent));
    }

    /// Of the last round that was planned.
    int repeats() {
        return plan.values().stream().mapToInt(Step::repeat).max().orElse(0);
    }

    Experiment experiment() {
        return experiment;
    }

    /// Those under the profiler come last.
    List<StepRecord> steps() {
        return steps.values().stream()
                .sorted(Comparator.comparing(StepRecord::profiled))
                .toList();
    }

    /// Takes what became of a step; of one that the experiment does not have, nothing.
    void put(StepRecord result) {
        steps.computeIfPresent(result.id(), (_, _) -> result);
    }

    boolean isDone(Step step) {
        StepRecord record = steps.get(step.id());
        return record != null && record.isDone();
    }

    /// What is still to be run, in order.
    List<Step> open() {
        return plan.values().stream()
                .filter(step -> !Objects.requireNonNull(steps.get(step.id())).isDone())
                .sorted(Comparator.comparing(Step::profiled))
                .toList();
    }

    /// What nobody has tried yet, in order: what failed is not run again by this run, and takes no time of it.
    List<Step> planned() {
        return open().stream()
                .filter(step -> Objects.requireNonNull(steps.get(step.id())).status() == StepRecord.Status.PLANNED)
                .toList();
    }

    /// These, and where rounds are interleaved what else is of their rounds, in order: of such a round everything is
    /// measured together.
    List<Step> withRounds(List<Step> steps) {
        return plan.values().stream()
                .filter(step -> steps.stream().anyMatch(one -> one.equals(step) || isOfOneRound(one, step)))
                .sorted(Comparator.comparing(Step::profiled))
                .toList();
    }

    /// The steps at the beginning that are measured together.
    List<Step> unit(List<Step> steps) {
        Step first = steps.getFirst();
        return steps.stream()
                .takeWhile(step -> step.equals(first) || isOfOneRound(first, step))
                .toList();
    }

    private boolean isOfOneRound(Step one, Step other) {
        return experiment.disturbed().isInterleaved()
                && !one.profiled()
                && !other.profiled()
                && one.phase().equals(other.phase())
                && one.repeat() == other.repeat();
    }

    List<Remark> warnings() {
        return List.copyOf(warnings);
    }

    void warn(Remark warning) {
        if (!warnings.contains(warning)) {
            warnings.add(warning);
        }
    }

    List<Missing> missing() {
        return List.copyOf(missing);
    }

    void missing(Remark what, Remark why) {
        Missing one = new Missing(what, why);
        if (!missing.contains(one)) {
            missing.add(one);
        }
    }

    /// What the servers of variants say of themselves.
    void versions(Map<String, String> said) {
        versions.putAll(said);
    }

    /// Null where each step that was to be measured is done. A profile that is missing is said,
    /// and no more.
    @Nullable
    Remark partialReason() {
        List<StepRecord> open = steps.values().stream()
                .filter(one -> !one.isDone() && !one.profiled())
                .toList();
        if (open.isEmpty()) {
            return null;
        }
        long planned = open.stream()
                .filter(one -> one.status() == StepRecord.Status.PLANNED)
                .count();
        long measured = steps.values().stream().filter(one -> !one.profiled()).count();
        @Nullable Remark first = open.getFirst().reason();
        return planned > 0 || first == null
                ? new Remark.StepsToGo(planned, measured)
                : new Remark.StepsFailed(open.size(), measured, first);
    }

    double generatorBusiest() {
        return steps.values().stream()
                .mapToDouble(StepRecord::generatorBusy)
                .max()
                .orElse(0);
    }

    /// What profiled steps cost, to what the same load cost without; NaN where there is nothing to
    /// compare.
    double profilerRatio(ToDoubleFunction<StepRecord> figure) {
        DoubleStream ratios = steps.values().stream()
                .filter(one -> one.profiled() && one.isDone())
                .mapToDouble(one -> figure.applyAsDouble(one) / mean(one, figure));
        return ratios.filter(ratio -> Double.isFinite(ratio) && ratio > 0)
                .average()
                .orElse(Double.NaN);
    }

    private double mean(StepRecord profiled, ToDoubleFunction<StepRecord> figure) {
        return steps.values().stream()
                .filter(one -> !one.profiled()
                        && one.isDone()
                        && one.variant().equals(profiled.variant())
                        && one.phase().equals(profiled.phase()))
                .mapToDouble(figure)
                .average()
                .orElse(Double.NaN);
    }

    // --- as a record, and back
    // ----------------------------------------------------------------------------------------

    /// What was run where, and how far it is.
    RunRecord record(RunRequest request, Machine machine) {
        @Nullable Remark reason = partialReason();
        return new RunRecord(
                RunRecord.SCHEMA,
                experimentRecord(),
                request.command(),
                startedAt,
                Instant.now().toString(),
                reason == null ? RunRecord.Status.COMPLETE : RunRecord.Status.PARTIAL,
                reason,
                machine,
                request.identity(),
                experiment.variants().stream()
                        .map(one -> variant(one, experiment.nice(), versions.getOrDefault(one.name(), "")))
                        .toList(),
                experiment.phases().stream().map(RunState::phase).toList(),
                steps(),
                missing(),
                warnings(),
                new RunRecord.Cost(
                        generatorBusiest(),
                        profilerRatio(one -> one.process().cpuNanosPerRequest()),
                        profilerRatio(StepRecord::p99Nanos)));
    }

    private ExperimentRecord experimentRecord() {
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
                experiment.questions(),
                objective == null
                        ? null
                        : new ExperimentRecord.Objective(objective.percentile(), objective.limitNanos()),
                experiment.published(),
                untilDecided,
                experiment.disturbed().above(),
                experiment.disturbed().again(),
                experiment.disturbed().slice().toNanos());
    }

    private static VariantRecord variant(Variant variant, Niceness nice, String version) {
        Server.@Nullable Kvant node = variant.server() instanceof Server.Kvant own ? own : null;
        return new VariantRecord(
                variant.name(),
                variant.title(),
                variant.titleRu(),
                nice.of(variant.server().commandLine()),
                node == null ? "external" : "kvant",
                variant.connections(),
                node == null ? Map.of() : node.flags(),
                variant.server().jvm(),
                variant.phases(),
                version);
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
    static RunState restored(RunRecord run, RunFolder results, Experiment given) {
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
    private static boolean hasFigures(RunFolder results, StepRecord done) {
        Path load = results.resolve("runs").resolve(done.id()).resolve("load.json");
        try {
            Histogram _ = ResultFile.read(load).latency().response().histogram();
            return true;
        } catch (UserException _) {
            return false;
        }
    }
}
