package kvant.report.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import kvant.lab.result.Remark;
import kvant.report.folder.LoadResult;
import kvant.report.folder.Results;
import kvant.report.folder.Step;
import kvant.report.inference.Schedule;
import kvant.report.verdict.Caveat.Cause;
import org.jspecify.annotations.Nullable;

/// The rounds in which two variants were measured beside each other, and those that are left out.
///
/// @param asked numbers of the rounds that were meant to be; of a run that looks, those that it has looked at
/// @param planned the same, without those of blocks that were left out
/// @param host which blocks were disturbed
/// @param leftOut why, for each step that is not among the pairs, and for blocks that were disturbed
record Rounds(
        List<Step> a,
        List<Step> b,
        List<Integer> asked,
        List<Integer> planned,
        HostRule.Choice host,
        List<Caveat> leftOut) {

    static Rounds of(Results results, String a, String b, String phase) {
        List<Step> ofA = results.steps(a, phase);
        List<Step> ofB = results.steps(b, phase);
        SortedSet<Integer> repeats = new TreeSet<>();
        ofA.forEach(step -> repeats.add(step.repeat()));
        ofB.forEach(step -> repeats.add(step.repeat()));
        Schedule schedule = Judge.schedule(results);
        if (schedule.design().looks()) { // what has its answer gets no more rounds; one of the two may, for others
            repeats.removeIf(
                    repeat -> find(ofA, repeat).isEmpty() || find(ofB, repeat).isEmpty());
            repeats.removeIf(repeat -> !schedule.hasSeen(repeat));
        }
        List<Integer> asked = List.copyOf(repeats);
        HostRule.Choice host = HostRule.of(results, phase).choice(together(repeats, ofA, ofB), schedule.design());
        repeats.removeIf(host::isLeftOut);
        Rounds rounds =
                new Rounds(new ArrayList<>(), new ArrayList<>(), asked, List.copyOf(repeats), host, new ArrayList<>());
        for (int repeat : repeats) {
            rounds.add(repeat, find(ofA, repeat), find(ofB, repeat));
        }
        host.caveat().ifPresent(rounds.leftOut::add);
        return rounds;
    }

    private static List<Integer> together(SortedSet<Integer> repeats, List<Step> ofA, List<Step> ofB) {
        return repeats.stream()
                .filter(repeat -> isUsable(find(ofA, repeat)) && isUsable(find(ofB, repeat)))
                .toList();
    }

    private static boolean isUsable(Optional<Step> step) {
        return step.filter(Step::isUsable).isPresent();
    }

    private static Optional<Step> find(List<Step> steps, int repeat) {
        return steps.stream().filter(step -> step.repeat() == repeat).findFirst();
    }

    private void add(int repeat, Optional<Step> stepA, Optional<Step> stepB) {
        if (isUsable(stepA) && isUsable(stepB)) {
            a.add(stepA.get());
            b.add(stepB.get());
            return;
        }
        stepA.filter(step -> !step.isUsable()).ifPresent(step -> leftOut.add(caveat(step)));
        stepB.filter(step -> !step.isUsable()).ifPresent(step -> leftOut.add(caveat(step)));
        if (stepA.isEmpty() || stepB.isEmpty()) {
            leftOut.add(new Caveat.Alone(repeat));
        }
    }

    int count() {
        return a.size();
    }

    /// The number of each, from 1.
    int[] repeats() {
        return a.stream().mapToInt(Step::repeat).toArray();
    }

    /// Why the figures of a step are not judged.
    static Caveat caveat(Step step) {
        LoadResult load = step.load();
        if (!step.record().isDone()) {
            Cause cause = switch (step.status()) {
                case FAILED -> Cause.FAILED;
                case SKIPPED -> Cause.SKIPPED;
                case PLANNED, DONE -> Cause.PLANNED;
            };
            return leftOut(step, cause, step.reason());
        }
        if (load == null) {
            return leftOut(step, Cause.UNREADABLE, step.unreadable());
        }
        return load.complete()
                ? new Caveat.Invalid(step.id(), GeneratorDoubt.of(load))
                : leftOut(step, Cause.PARTIAL, new Remark.Given(load.partial()));
    }

    private static Caveat leftOut(Step step, Cause cause, @Nullable Remark reason) {
        return new Caveat.LeftOut(step.id(), cause, Objects.requireNonNullElse(reason, new Remark.Given("")));
    }
}
