package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.run.StepRunner.Attempt;
import kvant.text.UserException;

/// Runs a step, and again while something outside of the run takes processors away from it, as often as the experiment
/// allows. The first calm attempt counts, or else the last one. A profile is compared with nothing, and taken as it is.
///
/// Owned by the thread of the run.
final class CalmSteps {

    private final StepRunner runner;
    private final CalmRule rule;
    private final ResultFolder results;
    private final RunListener listener;
    private final BiConsumer<Remark, Remark> complaints;

    /// @param complaints hears what is missing of a step that counts, and why
    CalmSteps(
            StepRunner runner,
            CalmRule rule,
            ResultFolder results,
            RunListener listener,
            BiConsumer<Remark, Remark> complaints) {
        this.runner = runner;
        this.rule = rule;
        this.results = results;
        this.listener = listener;
        this.complaints = complaints;
    }

    /// Steps that belong together, in order: all of an interleaved round, or one alone.
    ///
    /// @param begins hears of each step when it begins
    List<StepRecord> run(List<Step> unit, Consumer<Step> begins) {
        Step first = unit.getFirst();
        if (rule.bound().isInterleaved() && !first.profiled()) {
            List<Attempt> attempts = new InterleavedRound(runner, rule, listener).run(unit, begins);
            attempts.forEach(this::complain);
            return attempts.stream().map(Attempt::record).toList();
        }
        begins.accept(first);
        return List.of(run(first));
    }

    private void complain(Attempt attempt) {
        attempt.complaints().forEach(one -> complaints.accept(one.what(), one.why()));
    }

    private StepRecord run(Step step) {
        Attempt last = runner.run(step);
        int discarded = 0;
        while (!last.disturbedBy().isEmpty() && !step.profiled() && rule.allowsAnother(discarded)) {
            listener.disturbed(step, last.disturbedBy());
            Attempt next = another(step);
            if (next.isStopped()) {
                return next.record(); // what there was is not what would have counted
            }
            if (!next.record().isDone()) {
                break; // what there was is disturbed, and better than nothing
            }
            discarded++;
            last = next;
        }
        rule.ended(last.disturbedBy().isEmpty(), discarded);
        complain(last);
        return last.record().after(discarded);
    }

    /// The files of the attempt before stay where this one fails.
    private Attempt another(Step step) {
        Path folder = results.folder(step);
        Path before = results.before(step);
        replace(folder, before);
        Attempt next = runner.run(step);
        if (next.record().isDone() || next.isStopped()) {
            Folders.discard(before);
        } else {
            replace(before, folder);
        }
        return next;
    }

    private static void replace(Path from, Path to) {
        Folders.discard(to);
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UserException("cannot rename " + from + ": " + Folders.reason(e), e);
        }
    }
}
