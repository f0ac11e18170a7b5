package kvant.lab.run;

import java.util.Map;
import kvant.lab.experiment.Step;
import kvant.lab.result.ProcessFigures;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import org.jspecify.annotations.Nullable;

/// Records of steps that were not measured.
final class Steps {

    private Steps() {}

    static StepRecord planned(Step step, @Nullable Remark reason) {
        return unmeasured(step, StepRecord.Status.PLANNED, reason, "", Map.of());
    }

    static StepRecord skipped(Step step, Remark reason) {
        return unmeasured(step, StepRecord.Status.SKIPPED, reason, "", Map.of());
    }

    static StepRecord failed(Step step, Remark reason, String startedAt, Map<String, String> files) {
        return unmeasured(step, StepRecord.Status.FAILED, reason, startedAt, files);
    }

    private static StepRecord unmeasured(
            Step step, StepRecord.Status status, @Nullable Remark reason, String startedAt, Map<String, String> files) {
        return new StepRecord(
                step.id(),
                step.variant(),
                step.phase(),
                step.repeat(),
                step.profiled(),
                status,
                reason,
                startedAt,
                ProcessFigures.NONE,
                0,
                0,
                0,
                files);
    }
}
