package kvant.lab.run;

import java.time.Duration;
import java.util.Set;
import kvant.lab.experiment.Step;
import kvant.lab.result.Disturbance;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.load.record.RequestCounts;
import kvant.load.run.Progress;

/// Receives the progress of a run, on the thread that runs it; during a step also the progress of its load.
public interface RunListener extends Progress {

    /// A step begins.
    ///
    /// @param number from 1
    /// @param left estimated time until the end of the last step
    default void begins(Step step, int number, int of, Duration left) {}

    /// A step performs an activity without its own progress, such as `starting`.
    default void doing(String what) {}

    /// The turn of a step in an interleaved round begins.
    default void turn(Step step) {}

    /// A step has been measured: the outcome of all requests that count.
    default void answered(Step step, RequestCounts counts) {}

    /// A step was disturbed from outside the run, and is measured again.
    default void disturbed(Step step, Set<Disturbance> by) {}

    /// A step has ended, successfully or not.
    default void ended(StepRecord result) {}

    /// A doubt about the experiment.
    default void warning(Remark doubt) {}

    /// A variant cannot start on this machine.
    default void leftOut(String variant, Remark why) {}

    /// A run until decided has analysed its results.
    ///
    /// @param time open questions and their estimated time
    /// @param goesOn whether more rounds follow
    default void looked(Eta time, boolean goesOn) {}

    /// All steps were already done.
    default void nothingToDo() {}
}
