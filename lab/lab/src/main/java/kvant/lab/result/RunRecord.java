package kvant.lab.result;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

    /// A missing result of a run, and the reason.
    public record Missing(Remark what, Remark why) {

        /// True if a resumed run will try again and must not keep this entry.
        public boolean isTriedAgain() {
            return what instanceof Remark.VariantOf || what instanceof Remark.TheReport;
        }
    }

    /// One kind of load.
    ///
    /// @param rate requests per second, NaN in a closed loop
    public record PhaseRecord(
            String name,
            String workload,
            double rate,
            long durationNanos,
            long connections,
            long threads,
            long depth,
            long prefill,
            long keys,
            String values,
            String warmup) {}

    /// One of the compared variants.
    ///
    /// @param command of the server
    /// @param kind `kvant` or `external`
    /// @param connections number in every phase, or 0 for that of the phase
    /// @param jvm additional options of its JVM
    /// @param phases its only loads; empty for all
    /// @param version reported by the server; empty if not queried
    public record VariantRecord(
            String name,
            String title,
            String titleRu,
            List<String> command,
            String kind,
            long connections,
            Map<String, String> options,
            List<String> jvm,
            List<String> phases,
            String version) {

        /// Whether it has this load.
        public boolean gets(String phase) {
            return phases.isEmpty() || phases.contains(phase);
        }

        /// The command line of the server, as typed by a user.
        public String typed() {
            String options = jvm.isEmpty() ? "" : "KVANT_JAVA_OPTS=" + typed(List.of(String.join(" ", jvm))) + " ";
            return options + typed(command);
        }

        /// Words quoted for a shell.
        public static String typed(List<String> words) {
            return words.stream()
                    .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                    .collect(Collectors.joining(" "));
        }
    }
}
