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
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Niceness;
import kvant.lab.experiment.Phase;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Variant;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.ExperimentRecord;
import kvant.lab.result.ExperimentRecord.Look;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Machine;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.LabRun.RunRequest;
import kvant.load.result.ResultFile;
import kvant.load.search.Objective;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// The progress of a run, as stored in run.json.
///
/// Belongs to the thread of the run.
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

    /// Plans more steps; those already planned are unchanged.
    void extend(List<Step> more) {
        for (Step step : more) {
            plan.putIfAbsent(step.id(), step);
            steps.putIfAbsent(step.id(), step.unmeasured(StepRecord.Status.PLANNED, null));
        }
    }

    /// The next block of a run until decided: another block of the variants and phases that open questions need. If
    /// time is too short for all of it, it covers as many questions as possible, in their order. Empty if no
    /// question is open, or the limits of an experiment are reached.
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

    /// Notes an analysis of the rounds so far. The number of analyses affects the verdicts.
    ///
    /// @param spent share of the time limit used
    void look(double spent) {
        untilDecided = Objects.requireNonNull(untilDecided).with(new Look(repeats(), spent));
    }

    /// The number of planned rounds.
    int repeats() {
        return plan.values().stream().mapToInt(Step::repeat).max().orElse(0);
    }

    Experiment experiment() {
        return experiment;
    }

    /// The records, with the profiled steps last.
    List<StepRecord> steps() {
        return steps.values().stream()
                .sorted(Comparator.comparing(StepRecord::profiled))
                .toList();
    }

    /// Stores the result of a step; ignores a step that is not part of the experiment.
    void put(StepRecord result) {
        steps.computeIfPresent(result.id(), (_, _) -> result);
    }

    boolean isDone(Step step) {
        StepRecord record = steps.get(step.id());
        return record != null && record.isDone();
    }

    /// The steps that are not done, in order.
    List<Step> open() {
        return plan.values().stream()
                .filter(step -> !Objects.requireNonNull(steps.get(step.id())).isDone())
                .sorted(Comparator.comparing(Step::profiled))
                .toList();
    }

    /// The steps not tried yet, in order. A failed step is not repeated by this run, and needs no time.
    List<Step> planned() {
        return open().stream()
                .filter(step -> Objects.requireNonNull(steps.get(step.id())).status() == StepRecord.Status.PLANNED)
                .toList();
    }

    /// These steps and, for interleaved rounds, all other open steps of their rounds, in order: such a round is
    /// measured as a whole.
    List<Step> withRounds(List<Step> steps) {
        return plan.values().stream()
                .filter(step -> steps.stream().anyMatch(one -> one.equals(step) || isOfOneRound(one, step)))
                .sorted(Comparator.comparing(Step::profiled))
                .toList();
    }

    /// The first steps that are measured together.
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

    /// Stores the versions reported by the servers of variants.
    void versions(Map<String, String> said) {
        versions.putAll(said);
    }

    /// Null if each step to be measured is done. A missing profile is reported, but does not make a run partial.
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

    /// The ratio of a figure in profiled steps to that of the same load without profiling; NaN if there is nothing to
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

    /// The record of the run for run.json.
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

    /// Restores the state of an interrupted run. Steps with unreadable results are run again. The rule for excluding
    /// blocks is that of the start of the run.
    static RunState restored(RunRecord run, RunFolder results, Experiment given) {
        Experiment experiment = given.withDisturbed(new HostBound(
                run.experiment().disturbedAbove(),
                run.experiment().again(),
                Duration.ofNanos(run.experiment().interleavedNanos())));
        RunState state = new RunState(experiment, run.experiment().untilDecided(), run.startedAt(), run.warnings());
        List<String> variants =
                experiment.variants().stream().map(Variant::name).toList();
        List<String> phases = experiment.phases().stream().map(Phase::name).toList();
        state.extend(run.steps().stream()
                .filter(one -> variants.contains(one.variant()) && phases.contains(one.phase()))
                .map(one -> new Step(one.id(), one.variant(), one.phase(), one.repeat(), one.profiled()))
                .toList());
        run.missing().stream().filter(one -> !one.isTriedAgain()).forEach(one -> state.missing(one.what(), one.why()));
        run.steps().stream()
                .filter(StepRecord::isDone)
                .filter(one -> hasFigures(results, one))
                .forEach(state::put);
        return state;
    }

    /// A step without its figures counts as not measured.
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
