package kvant.report.verdict;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.lab.result.StepRecord.Disturbance;
import kvant.report.folder.Results;
import kvant.report.inference.PairedUnits;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.Verdict.Caveat;

/// Determines which blocks of a phase were disturbed from outside, by the rule fixed before the run.
///
/// A block, two rounds of all variants, is disturbed if in one of its steps the host of a virtual machine took more
/// than a bound of the wanted processor time, or other processes used more than that share of the machine. The whole
/// block is excluded, whichever variant was affected: excluding single steps would affect the variant with more work
/// more often. Throttling by a control group is no reason, because server and generator cause it themselves. The rule
/// depends on the host alone, never on the judged figures.
final class HostRule {

    /// If more than one in this many blocks is disturbed, that is the normal state of the host.
    private static final int ONE_OF = 3;

    private final double bound;

    /// Reasons by block number; empty for undisturbed blocks.
    private final SortedMap<Integer, Set<Disturbance>> blocks = new TreeMap<>();

    private HostRule(double bound) {
        this.bound = bound;
    }

    static HostRule of(Results results, String phase) {
        HostRule rule = new HostRule(results.run().experiment().disturbedAbove());
        results.steps().stream()
                .filter(step -> !step.profiled() && step.phase().equals(phase))
                .filter(step -> step.record().isDone() && step.load() != null) // incomplete steps have no valid shares
                .forEach(step -> rule.blocks
                        .computeIfAbsent(PairedUnits.block(step.repeat()), _ -> EnumSet.noneOf(Disturbance.class))
                        .addAll(Disturbance.of(
                                Judge.load(step).host(), step.record().process().userProcessors(), rule.bound)));
        return rule;
    }

    /// The application of the rule to some rounds.
    ///
    /// @param of number of blocks in which the two were measured together
    /// @param disturbed blocks, with their reasons
    /// @param leavesOut whether they are excluded
    record Choice(double bound, int of, SortedMap<Integer, Set<Disturbance>> disturbed, boolean leavesOut) {

        boolean isDisturbed(int repeat) {
            return disturbed.containsKey(PairedUnits.block(repeat));
        }

        boolean isLeftOut(int repeat) {
            return leavesOut && isDisturbed(repeat);
        }

        Optional<Caveat.Host> caveat() {
            return disturbed.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Caveat.Host(
                            disturbed.size(),
                            of,
                            blocks(Disturbance.STOLEN),
                            blocks(Disturbance.OTHERS),
                            bound,
                            leavesOut));
        }

        private int blocks(Disturbance reason) {
            return (int) disturbed.values().stream()
                    .filter(reasons -> reasons.contains(reason))
                    .count();
        }
    }

    /// Applies the rule to blocks in which the two variants were measured together; other blocks do not count.
    ///
    /// @param together rounds in which both of two variants can be judged
    Choice choice(Collection<Integer> together, Design design) {
        List<Integer> measured = together.stream()
                .map(PairedUnits::block)
                .filter(blocks::containsKey)
                .distinct()
                .sorted()
                .toList();
        SortedMap<Integer, Set<Disturbance>> disturbed = new TreeMap<>(blocks);
        disturbed.keySet().retainAll(measured);
        disturbed.values().removeIf(Set::isEmpty);
        List<Boolean> each = measured.stream().map(disturbed::containsKey).toList();
        return new Choice(bound, measured.size(), disturbed, leavesOut(each, design));
    }

    /// True if disturbed blocks are excluded; false if they are so many that this is the normal state of the host.
    ///
    /// Simultaneous intervals for all analyses apply to a single sequence of blocks. A run with interim analyses
    /// must therefore not change this decision once it has an interval, so the first blocks settle it
    /// ([Design#settlingBlocks]). If at most a third of them is disturbed, disturbed blocks are always excluded;
    /// otherwise never. Before that there are too few blocks for an interval.
    ///
    /// @param disturbed each block in order
    static boolean leavesOut(List<Boolean> disturbed, Design design) {
        int settle = design.looks() ? design.settlingBlocks() : disturbed.size();
        List<Boolean> settling = disturbed.subList(0, Math.min(settle, disturbed.size()));
        long n = settling.stream().filter(one -> one).count();
        return ONE_OF * n <= settle && disturbed.contains(false);
    }
}
