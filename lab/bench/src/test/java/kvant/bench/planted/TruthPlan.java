package kvant.bench.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import kvant.bench.planted.PlantedExperiment.Law;
import kvant.load.result.RecordJson;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The plan of the runs of a folder: `truth.json` in it. Their numbers follow from it, so that runs can be added to a
/// folder by this plan and by no other one.
///
/// @param laws in the order in which they are run
/// @param runs of each kind
/// @param seed of the keys of the first run
/// @param rounds of a run
/// @param durationNanos of each load
record TruthPlan(String schema, List<String> laws, long runs, long seed, long rounds, long durationNanos) {

    private static final String NAME = "truth.json";
    private static final String SCHEMA = "kvant-truth/3";

    TruthPlan {
        laws = List.copyOf(laws);
    }

    static TruthPlan of(List<Law> laws, int runs, long seed) {
        return new TruthPlan(
                SCHEMA,
                laws.stream().map(Law::key).toList(),
                runs,
                seed,
                PlantedExperiment.USUAL_ROUNDS,
                PlantedExperiment.USUAL_DURATION.toNanos());
    }

    /// Makes the folder.
    ///
    /// @throws UserException where it is there, or cannot be made
    void create(Path folder) {
        if (Files.exists(folder)) {
            throw new UserException(folder + " exists: runs go into a new folder");
        }
        try {
            RecordJson.write(Files.createDirectories(folder).resolve(NAME), this);
        } catch (IOException e) {
            throw new UserException("cannot create " + folder + ": " + e.getMessage(), e);
        }
    }

    /// The plan of a folder, changed by options: more or fewer runs.
    ///
    /// @param laws empty where the option is not given; as `runs` and `seed`, which are null
    /// @throws UserException where the folder was made by another one
    static TruthPlan resumed(Path folder, List<Law> laws, @Nullable Integer runs, @Nullable Long seed) {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw new UserException(folder + " was not created by these runs: it has no file " + NAME);
        }
        TruthPlan made = RecordJson.read(file, "the plan of runs with planted differences", TruthPlan.class);
        TruthPlan wanted = new TruthPlan(
                SCHEMA,
                laws.isEmpty() ? made.laws : laws.stream().map(Law::key).toList(),
                runs == null ? made.runs : runs,
                seed == null ? made.seed : seed,
                PlantedExperiment.USUAL_ROUNDS,
                PlantedExperiment.USUAL_DURATION.toNanos());
        if (!made.withRuns(wanted.runs).equals(wanted)) {
            throw new UserException(folder + " was made with " + made.text() + ", not with " + wanted.text());
        }
        return wanted;
    }

    private TruthPlan withRuns(long other) {
        return new TruthPlan(schema, laws, other, seed, rounds, durationNanos);
    }

    private String text() {
        return String.format(
                Locale.ROOT,
                "%s, the laws %s, seed %d, %d rounds of %d ms",
                schema,
                String.join(",", laws),
                seed,
                rounds,
                durationNanos / 1_000_000);
    }

    List<Law> planted() {
        return laws.stream()
                .flatMap(key -> Stream.of(Law.values()).filter(law -> law.key().equals(key)))
                .toList();
    }
}
