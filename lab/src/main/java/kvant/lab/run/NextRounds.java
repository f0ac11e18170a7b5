package kvant.lab.run;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Step;

/// Which rounds come next in a run that goes on until each question has its answer: one more block of those
/// variants and phases that a question still needs.
final class NextRounds {

    private NextRounds() {}

    /// Empty where nothing is open, or the bounds of an experiment are reached.
    ///
    /// @param repeats how many there are
    /// @param planned how many steps there are
    static List<Step> of(Experiment experiment, List<Instruments.Undecided> open, int repeats, int planned) {
        Set<String> needed = new HashSet<>();
        for (Instruments.Undecided one : open) {
            needed.add(one.phase() + " " + one.a());
            needed.add(one.phase() + " " + one.b());
        }
        int block = (repeats + 1) / Step.ROUNDS + 1;
        List<Step> next = experiment.block(block).stream()
                .filter(step -> needed.contains(step.phase() + " " + step.variant()))
                .toList();
        boolean bounded =
                block * Step.ROUNDS <= Experiment.MOST_REPEATS && planned + next.size() <= Experiment.MOST_STEPS;
        return bounded ? next : List.of();
    }
}
