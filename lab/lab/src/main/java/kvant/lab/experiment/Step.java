package kvant.lab.experiment;

import java.util.Locale;
import java.util.Map;
import kvant.lab.result.Remark;
import kvant.lab.result.StepRecord;
import kvant.lab.result.StepRecord.ProcessFigures;
import org.jspecify.annotations.Nullable;

/// One execution of a load on a variant, with its own process and data.
///
/// @param id such as `01-async-put`; profiled ones begin with `p1`
public record Step(String id, String variant, String phase, int repeat, boolean profiled) {

    /// Repeats per block.
    public static final int ROUNDS = 2;

    static Step measured(Variant variant, Phase phase, int repeat) {
        String id = String.format(Locale.ROOT, "%02d-%s-%s", repeat, variant.name(), phase.name());
        return new Step(id, variant.name(), phase.name(), repeat, false);
    }

    /// The record of a step that was not measured.
    public StepRecord unmeasured(StepRecord.Status status, @Nullable Remark reason) {
        return unmeasured(status, reason, "", Map.of());
    }

    /// @param startedAt of the attempt; empty if there was none
    /// @param files left by the attempt, by kind
    public StepRecord unmeasured(
            StepRecord.Status status, @Nullable Remark reason, String startedAt, Map<String, String> files) {
        return new StepRecord(
                id, variant, phase, repeat, profiled, status, reason, startedAt, ProcessFigures.NONE, 0, 0, 0, files);
    }
}
