package kvant.lab.run;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Identity;
import org.jspecify.annotations.Nullable;

/// A run, as it was asked for.
///
/// @param folder of results, which must not exist
/// @param work where a folder for data is created
/// @param obstacle why `kvant serve` does not take these options, or empty
/// @param untilDecided null where the experiment says how many rounds there are
/// @param command what a person types to repeat it
public record RunRequest(
        Experiment experiment,
        @Nullable UntilDecided untilDecided,
        Path folder,
        Path work,
        KvantCommand kvant,
        Function<List<String>, String> obstacle,
        String command,
        Identity identity) {}
