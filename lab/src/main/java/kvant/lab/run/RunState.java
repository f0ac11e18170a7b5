package kvant.lab.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Step;

/// How far a run is: what run.json tells.
///
/// Owned by the thread of the run.
final class RunState {

    /// How the names of those begin that are looked for again when a run goes on.
    static final String AGAIN = "all of ";

    private final Experiment experiment;
    private final String startedAt;
    private final List<String> warnings;
    private final Map<String, StepResult> steps = new LinkedHashMap<>();
    private final List<Missing> missing = new ArrayList<>();

    RunState(Experiment experiment, String startedAt, List<String> warnings) {
        this.experiment = experiment;
        this.startedAt = startedAt;
        this.warnings = new ArrayList<>(warnings);
        experiment.plan().forEach(step -> steps.put(step.id(), StepResult.planned(step, "")));
    }

    static RunState begin(Experiment experiment, List<String> warnings) {
        return new RunState(experiment, Instant.now().toString(), warnings);
    }

    Experiment experiment() {
        return experiment;
    }

    String startedAt() {
        return startedAt;
    }

    List<StepResult> steps() {
        return List.copyOf(steps.values());
    }

    /// Takes what became of a step; of one that the experiment does not have, nothing.
    void put(StepResult result) {
        steps.computeIfPresent(result.step().id(), (_, _) -> result);
    }

    /// What is still to be run, in order.
    List<Step> open() {
        return steps.values().stream()
                .filter(one -> !one.isDone())
                .map(StepResult::step)
                .toList();
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    void warn(String warning) {
        if (!warnings.contains(warning)) {
            warnings.add(warning);
        }
    }

    List<Missing> missing() {
        return List.copyOf(missing);
    }

    void missing(String what, String why) {
        Missing one = new Missing(what, why);
        if (!missing.contains(one)) {
            missing.add(one);
        }
    }

    /// Empty where each step that was to be measured is done. A profile that is missing is said,
    /// and no more.
    String partialReason() {
        List<StepResult> open = steps.values().stream()
                .filter(one -> !one.isDone() && !one.step().profiled())
                .toList();
        if (open.isEmpty()) {
            return "";
        }
        long planned = open.stream()
                .filter(one -> one.status() == StepResult.Status.PLANNED)
                .count();
        long measured =
                steps.values().stream().filter(one -> !one.step().profiled()).count();
        return planned > 0
                ? "stopped with " + planned + " of " + measured + " steps to go"
                : open.size() + " of " + measured + " steps failed: "
                        + open.getFirst().reason();
    }

    double generatorBusiest() {
        return steps.values().stream()
                .mapToDouble(StepResult::generatorBusy)
                .max()
                .orElse(0);
    }

    /// What profiled steps cost, to what the same load cost without; NaN where there is nothing to
    /// compare.
    double profilerRatio(ToDoubleFunction<StepResult> figure) {
        DoubleStream ratios = steps.values().stream()
                .filter(one -> one.step().profiled() && one.isDone())
                .mapToDouble(one -> figure.applyAsDouble(one) / mean(one.step(), figure));
        return ratios.filter(ratio -> Double.isFinite(ratio) && ratio > 0)
                .average()
                .orElse(Double.NaN);
    }

    private double mean(Step profiled, ToDoubleFunction<StepResult> figure) {
        return steps.values().stream()
                .filter(one -> !one.step().profiled()
                        && one.isDone()
                        && one.step().variant().equals(profiled.variant())
                        && one.step().phase().equals(profiled.phase()))
                .mapToDouble(figure)
                .average()
                .orElse(Double.NaN);
    }
}
