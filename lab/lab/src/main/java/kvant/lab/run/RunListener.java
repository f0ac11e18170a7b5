package kvant.lab.run;

import java.time.Duration;
import java.util.Set;
import kvant.lab.experiment.Step;
import kvant.lab.result.Disturbance;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.load.record.RequestCounts;
import kvant.load.run.Progress;

/// Hears how a run goes, on the thread that runs it; between begin and end of a step also how its
/// load goes.
public interface RunListener extends Progress {

    /// A step begins.
    ///
    /// @param number from 1
    /// @param left about how long it takes until the last step has ended
    default void begins(Step step, int number, int of, Duration left) {}

    /// A step does something that has no progress of its own, such as `starting`.
    default void doing(String what) {}

    /// A step of an interleaved round has its turn.
    default void turn(Step step) {}

    /// A step has been measured: what became of all of its requests that count.
    default void answered(Step step, RequestCounts counts) {}

    /// Something outside of the run took processors away from a step, which is measured again.
    default void disturbed(Step step, Set<Disturbance> by) {}

    /// A step has ended, well or not.
    default void ended(StepRecord result) {}

    /// Something that is doubtful about the experiment.
    default void warning(Remark doubt) {}

    /// A variant cannot be started here.
    default void leftOut(String variant, Remark why) {}

    /// A run that goes on until each question has its answer looked at what it has.
    ///
    /// @param time what is not decided, and how long that takes
    /// @param goesOn whether there are more rounds
    default void looked(Eta time, boolean goesOn) {}

    /// All steps were done before.
    default void nothingToDo() {}
}
