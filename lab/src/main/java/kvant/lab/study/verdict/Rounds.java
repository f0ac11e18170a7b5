package kvant.lab.study.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Results;
import kvant.lab.study.folder.Step;
import kvant.lab.study.words.Phrase;

/// The rounds in which two variants were measured beside each other, and those that are left out.
///
/// @param planned rounds that were meant to be
/// @param leftOut why, for each step that is not among the pairs
record Rounds(List<Step> a, List<Step> b, int planned, List<Phrase> leftOut) {

    static Rounds of(Results results, String a, String b, String phase) {
        List<Step> ofA = results.steps(a, phase);
        List<Step> ofB = results.steps(b, phase);
        TreeSet<Integer> repeats = new TreeSet<>();
        ofA.forEach(step -> repeats.add(step.repeat()));
        ofB.forEach(step -> repeats.add(step.repeat()));
        Rounds rounds = new Rounds(new ArrayList<>(), new ArrayList<>(), repeats.size(), new ArrayList<>());
        for (int repeat : repeats) {
            rounds.add(repeat, find(ofA, repeat), find(ofB, repeat));
        }
        return rounds;
    }

    private static Optional<Step> find(List<Step> steps, int repeat) {
        return steps.stream().filter(step -> step.repeat() == repeat).findFirst();
    }

    private void add(int repeat, Optional<Step> stepA, Optional<Step> stepB) {
        if (stepA.filter(Step::isUsable).isPresent()
                && stepB.filter(Step::isUsable).isPresent()) {
            a.add(stepA.get());
            b.add(stepB.get());
            return;
        }
        stepA.filter(step -> !step.isUsable()).ifPresent(step -> leftOut.add(trouble(step)));
        stepB.filter(step -> !step.isUsable()).ifPresent(step -> leftOut.add(trouble(step)));
        if (stepA.isEmpty() || stepB.isEmpty()) {
            leftOut.add(Phrase.of("trouble.alone").with("round", Integer.toString(repeat)));
        }
    }

    int count() {
        return a.size();
    }

    /// Why the figures of a step are not judged.
    static Phrase trouble(Step step) {
        LoadResult load = step.load();
        if (!step.status().equals("done")) {
            String kind = switch (step.status()) {
                case "failed", "skipped" -> step.status();
                default -> "planned";
            };
            Phrase phrase = Phrase.of("trouble." + kind).with("step", step.id());
            return kind.equals("planned") ? phrase : phrase.with("reason", step.reason());
        }
        if (load == null) {
            return Phrase.of("trouble.unreadable").with("step", step.id()).with("reason", step.trouble());
        }
        return load.complete()
                ? Phrase.of("trouble.invalid").with("step", step.id()).with("reason", Doubt.reason(load))
                : Phrase.of("trouble.partial").with("step", step.id()).with("reason", load.partial());
    }
}
