package kvant.lab.result;

import java.nio.file.Path;
import java.util.List;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The identification and progress of a run: `run.json`. docs/experiments.md has the schema.
///
/// @param command command line that repeats the run
/// @param partialReason null if each step was measured
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

    /// Whether the run is complete.
    public enum Status {
        PARTIAL,
        COMPLETE
    }

    /// The overhead of measuring; NaN means "not measured".
    ///
    /// @param generatorBusiest largest utilisation of a generator thread in any step
    /// @param profilerCpuRatio CPU time per request with the profiler, relative to that without
    /// @param profilerP99Ratio p99 with the profiler, relative to that without
    public record Cost(double generatorBusiest, double profilerCpuRatio, double profilerP99Ratio) {}

    /// @throws UserException in one line, when the folder has no record of a run
    public static RunRecord read(Path folder) {
        Path file = folder.resolve(NAME);
        RunRecord run = RecordJson.read(file, "the record of a run", RunRecord.class);
        if (!SCHEMA.equals(run.schema)) {
            throw new UserException(file + " is not of schema " + SCHEMA + " but of '" + run.schema + "'");
        }
        return run;
    }
}
