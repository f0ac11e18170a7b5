package kvant.lab.run;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Identity;
import org.jspecify.annotations.Nullable;

/// The specification of a run.
///
/// @param folder of results, which must not exist
/// @param work parent of a temporary folder for data
/// @param obstacle returns the reason why `kvant serve` refuses these options, or an empty text
/// @param untilDecided null if the experiment fixes the number of rounds
/// @param command command line that repeats the run
public record RunRequest(
        Experiment experiment,
        @Nullable UntilDecided untilDecided,
        Path folder,
        Path work,
        KvantCommand kvant,
        Function<List<String>, String> obstacle,
        String command,
        Identity identity) {}
