package kvant.report.verdict;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import kvant.lab.result.Disturbance;
import kvant.load.host.HostFacts;
import kvant.report.folder.MeasuredStep;
import kvant.report.folder.Results;
import kvant.report.inference.Design;
import kvant.report.inference.PairedUnits;

/// Which blocks of a phase something outside of the run disturbed, by the rule that was fixed before it began.
///
/// A block, two rounds of all variants, is disturbed where in one of its steps the host of a virtual machine took more
/// than a bound of the processor time that was wanted, or other processes took more than that of the machine. The whole
/// block goes, whichever variant was measured meanwhile: a rule for single steps would drop more of the variant that
/// works more, because that one is disturbed more often. A control group that is out of its share is no such reason,
/// because server and generator use it up themselves. The rule looks at the host alone, never at what is judged.
final class HostRule {

    /// Where more than one of so many blocks is disturbed, that is what the host is like.
    private static final int ONE_OF = 3;

    private final double bound;

    /// By number; those that nothing disturbed have no reasons.
    private final SortedMap<Integer, Set<Disturbance>> blocks = new TreeMap<>();

    private HostRule(double bound) {
        this.bound = bound;
    }

    static HostRule of(Results results, String phase) {
        HostRule rule = new HostRule(results.run().experiment().disturbedAbove());
        results.steps().stream()
                .filter(step -> !step.profiled() && step.phase().equals(phase))
                .filter(step -> step.record().isDone() && step.load() != null) // shares of half a step are none of it
                .forEach(rule::add);
        return rule;
    }

    private void add(MeasuredStep step) {
        Set<Disturbance> reasons =
                blocks.computeIfAbsent(PairedUnits.block(step.repeat()), _ -> EnumSet.noneOf(Disturbance.class));
        HostFacts host = Judge.load(step).host();
        reasons.addAll(Disturbance.of(host, step.record().process().userProcessors(), bound));
    }

    /// What it makes of some rounds.
    ///
    /// @param of blocks in which the two were measured together
    /// @param disturbed blocks, with their reasons
    /// @param leavesOut whether they are left out
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

    /// A block in which the two were not measured together says nothing of how many of theirs were disturbed.
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

    /// Whether disturbed blocks are left out; else so many are disturbed that this is what the host is like.
    ///
    /// Intervals that hold at all looks together are those of a single sequence of blocks. So a run that
    /// looks again and again must not go from one choice to the other once it had an interval: the first
    /// blocks settle it
    /// ([Design#settlingBlocks]). With no more than a third of them disturbed they always will be left out;
    /// with more, never, and until then too few are left for an interval.
    ///
    /// @param disturbed each block in its order
    static boolean leavesOut(List<Boolean> disturbed, Design design) {
        int settle = design.looks() ? design.settlingBlocks() : disturbed.size();
        List<Boolean> settling = disturbed.subList(0, Math.min(settle, disturbed.size()));
        long n = settling.stream().filter(one -> one).count();
        return ONE_OF * n <= settle && disturbed.contains(false);
    }
}
