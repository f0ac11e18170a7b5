package kvant.lab.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// One load on one variant, once, on a process and data of its own.
///
/// @param id such as `01-async-put`; profiled ones begin with `p1`
public record Step(String id, String variant, String phase, int repeat, boolean profiled) {

    /// The variants of a phase follow each other, so that what changes on the machine changes for
    /// all of them; and each repeat begins with the next variant, so that none is always the first.
    /// What is profiled comes last, because a profiler disturbs.
    static List<Step> plan(Experiment experiment) {
        List<Step> steps = new ArrayList<>();
        for (int repeat = 1; repeat <= experiment.repeats(); repeat++) {
            List<Variant> order = new ArrayList<>(experiment.variants());
            Collections.rotate(order, 1 - repeat);
            for (Phase phase : experiment.phases()) {
                for (Variant variant : order) {
                    String id = String.format(Locale.ROOT, "%02d-%s-%s", repeat, variant.name(), phase.name());
                    steps.add(new Step(id, variant.name(), phase.name(), repeat, false));
                }
            }
        }
        for (Phase phase : experiment.phases()) {
            for (Variant variant : experiment.variants()) {
                if (experiment.profiling().covers(variant, phase)) {
                    String id = "p1-" + variant.name() + "-" + phase.name();
                    steps.add(new Step(id, variant.name(), phase.name(), 1, true));
                }
            }
        }
        return steps;
    }
}
