package kvant.lab.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import org.jspecify.annotations.Nullable;

/// One execution of a load on a variant, with its own process and data.
///
/// @param id such as `01-async-put`; profiled ones begin with `p1`
public record Step(String id, String variant, String phase, int repeat, boolean profiled) {

    /// Repeats per block.
    public static final int ROUNDS = 2;

    /// Blocks first, then the profiled steps, because a profiler disturbs.
    static List<Step> plan(Experiment experiment) {
        List<Step> steps = new ArrayList<>();
        int blocks = (experiment.repeats() + ROUNDS - 1) / ROUNDS;
        for (int block = 1; block <= blocks; block++) {
            steps.addAll(block(experiment, block));
        }
        steps.removeIf(step -> step.repeat() > experiment.repeats());
        steps.addAll(profiled(experiment));
        return steps;
    }

    /// The steps of two repeats. In each phase the variants run in order, and then in reverse order (A B C, C B A), so
    /// that steady changes of the machine affect each of them equally. Each block starts with the next variant.
    static List<Step> block(Experiment experiment, int block) {
        List<Step> steps = new ArrayList<>();
        List<Variant> order = new ArrayList<>(experiment.variants());
        Collections.rotate(order, 1 - block);
        for (Phase phase : experiment.phases()) {
            List<Variant> those =
                    order.stream().filter(variant -> variant.gets(phase.name())).toList();
            those.forEach(variant -> steps.add(of(variant, phase, ROUNDS * block - 1)));
            those.reversed().forEach(variant -> steps.add(of(variant, phase, ROUNDS * block)));
        }
        return steps;
    }

    private static Step of(Variant variant, Phase phase, int repeat) {
        String id = String.format(Locale.ROOT, "%02d-%s-%s", repeat, variant.name(), phase.name());
        return new Step(id, variant.name(), phase.name(), repeat, false);
    }

    private static List<Step> profiled(Experiment experiment) {
        List<Step> steps = new ArrayList<>();
        for (Phase phase : experiment.phases()) {
            for (Variant variant : experiment.variants()) {
                if (variant.gets(phase.name()) && experiment.profiling().covers(variant, phase)) {
                    String id = "p1-" + variant.name() + "-" + phase.name();
                    steps.add(new Step(id, variant.name(), phase.name(), 1, true));
                }
            }
        }
        return steps;
    }

    /// The record of a step that was not measured.
    public StepRecord unmeasured(StepRecord.Status status, @Nullable Remark reason) {
        return unmeasured(status, reason, "", Map.of());
    }

    /// @param startedAt of the attempt; empty if there was none
    /// @param files left by the attempt, by kind
    public StepRecord unmeasured(
            StepRecord.Status status, @Nullable Remark reason, String startedAt, Map<String, String> files) {
        return new StepRecord(
                id, variant, phase, repeat, profiled, status, reason, startedAt, ProcessFigures.NONE, 0, 0, 0, files);
    }
}
