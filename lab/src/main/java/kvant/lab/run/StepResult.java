package kvant.lab.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import kvant.lab.experiment.Step;

/// What became of a step.
///
/// @param reason why it is not done, or empty
/// @param startedAt of the measured time, or of the attempt; empty where there was none
/// @param p99Nanos response time, 0 where nothing was measured
/// @param generatorBusy share of its time that the busiest thread of the generator computed
/// @param files by kind, relative to the folder of results
public record StepResult(
        Step step,
        Status status,
        String reason,
        String startedAt,
        ProcessFigures process,
        long p99Nanos,
        double generatorBusy,
        Map<String, String> files) {

    /// What a step can be.
    public enum Status {
        PLANNED,
        DONE,
        FAILED,
        SKIPPED
    }

    public StepResult {
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    static StepResult planned(Step step, String reason) {
        return new StepResult(step, Status.PLANNED, reason, "", ProcessFigures.NONE, 0, 0, Map.of());
    }

    static StepResult skipped(Step step, String reason) {
        return new StepResult(step, Status.SKIPPED, reason, "", ProcessFigures.NONE, 0, 0, Map.of());
    }

    boolean isDone() {
        return status == Status.DONE;
    }
}
