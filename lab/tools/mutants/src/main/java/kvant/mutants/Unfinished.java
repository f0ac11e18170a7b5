package kvant.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.mutants.MutantTrial.Outcome;

/// Results of a run of all mutants that has not come to its end, so that the next run on the same commit continues
/// behind them.
///
/// @param file a line for the commit, and one for each mutant: outcome, milliseconds, label
/// @param commit empty for a run that is not continued
record Unfinished(Path file, String commit) {

    /// Those of this commit; a broken one is tried again.
    Map<String, MutantTrial.Result> read(List<Mutant> mutants) throws IOException {
        Map<String, MutantTrial.Result> results = new HashMap<>();
        List<String> lines = !commit.isEmpty() && Files.exists(file)
                ? Modules.read(file).lines().toList()
                : List.of();
        if (lines.isEmpty() || !lines.getFirst().equals(commit)) {
            write(commit, StandardOpenOption.TRUNCATE_EXISTING);
            return results;
        }
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", 3);
            mutants.stream()
                    .filter(one -> words.length == 3 && one.label().equals(words[2]))
                    .filter(_ -> !words[0].equals(Outcome.BROKEN.name()))
                    .forEach(one -> results.put(
                            one.label(),
                            new MutantTrial.Result(one, Outcome.valueOf(words[0]), Long.parseLong(words[1]), "")));
        }
        return results;
    }

    void add(MutantTrial.Result result) throws IOException {
        write(result.outcome() + " " + result.millis() + " " + result.mutant().label(), StandardOpenOption.APPEND);
    }

    /// All were tried.
    void end() throws IOException {
        if (!commit.isEmpty()) {
            Files.deleteIfExists(file);
        }
    }

    private void write(String line, StandardOpenOption how) throws IOException {
        if (!commit.isEmpty()) {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, how);
        }
    }
}
