package kvant.lab.result;

import java.nio.file.Path;
import java.util.List;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// What was run where, and how far it is: `run.json`. docs/experiments.md has the schema.
///
/// @param command what a person types to repeat it
/// @param partialReason null where each step was measured
/// @param warnings known before the run
public record RunRecord(
        String schema,
        ExperimentRecord experiment,
        String command,
        String startedAt,
        String endedAt,
        Status status,
        @Nullable Remark partialReason,
        Machine machine,
        Identity kvant,
        List<VariantRecord> variants,
        List<PhaseRecord> phases,
        List<StepRecord> steps,
        List<Missing> missing,
        List<Remark> warnings,
        Cost cost) {

    public static final String NAME = "run.json";
    public static final String SCHEMA = "kvant-lab/1";

    /// Whether all was measured.
    public enum Status {
        PARTIAL,
        COMPLETE
    }

    /// What measuring itself cost; NaN is "not measured".
    ///
    /// @param generatorBusiest share of its time that the busiest thread of the generator computed in any step
    /// @param profilerCpuRatio CPU per request under the profiler to that without
    /// @param profilerP99Ratio likewise
    public record Cost(double generatorBusiest, double profilerCpuRatio, double profilerP99Ratio) {}

    /// @throws UserException in one line, where the folder has no record of a run
    public static RunRecord read(Path folder) {
        Path file = folder.resolve(NAME);
        RunRecord run = RecordJson.read(file, "the record of a run", RunRecord.class);
        if (!SCHEMA.equals(run.schema)) {
            throw new UserException(file + " is not of schema " + SCHEMA + " but of '" + run.schema + "'");
        }
        return run;
    }
}
