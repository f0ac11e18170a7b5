package kvant.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import kvant.lab.experiment.HostBound;
import kvant.lab.experiment.Step;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.run.StepRunner.Attempt;
import kvant.load.loop.StopSwitch;
import kvant.text.UserException;

/// Runs a step, and again while something outside of the run takes processors away from it, as often as the experiment
/// allows. The first calm attempt counts, or else the last one. A profile is compared with nothing, and taken as it is.
///
/// Owned by the thread of the run.
final class CalmSteps {

    /// Steps in a row that were never calm: then that is what the host is like, and no time is spent on more attempts
    /// until a step is calm.
    static final int MOST_NEVER_CALM = 3;

    private final StepRunner runner;
    private final HostBound bound;
    private final ResultFolder results;
    private final RunListener listener;
    private final BiConsumer<Remark, Remark> complaints;
    private final StopSwitch stop;
    private final BooleanSupplier hasTime;
    private int neverCalm;

    /// @param bound what the run settled when it began
    /// @param complaints hears what is missing of a step that counts, and why
    /// @param hasTime whether there is time for another attempt
    CalmSteps(
            StepRunner runner,
            HostBound bound,
            ResultFolder results,
            RunListener listener,
            BiConsumer<Remark, Remark> complaints,
            StopSwitch stop,
            BooleanSupplier hasTime) {
        this.runner = runner;
        this.bound = bound;
        this.results = results;
        this.listener = listener;
        this.complaints = complaints;
        this.stop = stop;
        this.hasTime = hasTime;
    }

    StepRecord run(Step step) {
        Attempt last = runner.run(step);
        int discarded = 0;
        while (isToRepeat(step, last, discarded)) {
            listener.disturbed(step, last.disturbedBy());
            Attempt next = another(step);
            if (!next.record().isDone()) {
                break; // what there was is disturbed, and better than nothing
            }
            discarded++;
            last = next;
        }
        if (last.disturbedBy().isEmpty()) {
            neverCalm = 0;
        } else if (discarded > 0 && discarded == bound.again()) {
            neverCalm++;
        }
        last.complaints().forEach(one -> complaints.accept(one.what(), one.why()));
        return last.record().after(discarded);
    }

    private boolean isToRepeat(Step step, Attempt last, int discarded) {
        return !last.disturbedBy().isEmpty()
                && !step.profiled()
                && discarded < bound.again()
                && neverCalm < MOST_NEVER_CALM
                && hasTime.getAsBoolean()
                && !stop.isStopped();
    }

    /// The files of the attempt before stay where this one fails.
    private Attempt another(Step step) {
        Path folder = results.folder(step);
        Path before = folder.resolveSibling(folder.getFileName() + ".before");
        replace(folder, before);
        Attempt next = runner.run(step);
        if (next.record().isDone()) {
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
