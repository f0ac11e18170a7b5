package kvant.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.mutants.MutantTrial.Outcome;

/// The last result of each mutant, by a fingerprint of its entry, its file and the class of its test: while these are
/// the same it need not be tried again. A change of another file that its test runs through is not noticed.
final class History {

    private final Path file;
    private final Modules modules;
    private final Map<String, MutantTrial.Result> results = new HashMap<>();

    /// @param file a line for each result: outcome, milliseconds, fingerprint, label
    /// @param mutants of all lists; results of others are dropped
    History(Path file, Modules modules, List<Mutant> mutants) throws IOException {
        this.file = file;
        this.modules = modules;
        Map<String, Mutant> current = new HashMap<>();
        mutants.forEach(one -> current.put(name(one), one));
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] words = line.split(" ", 3);
            Mutant mutant = current.get(words[2]);
            if (mutant != null) {
                Outcome outcome = Outcome.valueOf(words[0]);
                results.put(mutant.label(), new MutantTrial.Result(mutant, outcome, Long.parseLong(words[1]), ""));
            }
        }
        Files.writeString(file, of(mutants).stream().map(this::line).collect(Collectors.joining()));
    }

    /// True if it need not be tried.
    boolean hasSettled(Mutant mutant) {
        MutantTrial.Result result = results.get(mutant.label());
        return result != null && !result.isWrong();
    }

    void add(MutantTrial.Result result) throws IOException {
        results.put(result.mutant().label(), result);
        Files.writeString(file, line(result), StandardOpenOption.APPEND);
    }

    /// Those of some mutants, as far as they were tried.
    List<MutantTrial.Result> of(List<Mutant> mutants) {
        return mutants.stream()
                .flatMap(one -> Stream.ofNullable(results.get(one.label())))
                .toList();
    }

    private String line(MutantTrial.Result result) {
        return result.outcome() + " " + result.millis() + " " + name(result.mutant()) + "\n";
    }

    private String name(Mutant mutant) {
        Stream<Path> files = Stream.concat(
                modules.sources(mutant.module(), mutant.file()).stream(),
                modules.test(mutant.test().module(), mutant.test().type()).stream());
        String text = files.map(Modules::read).collect(Collectors.joining())
                + mutant.find()
                + mutant.replace()
                + mutant.test().label()
                + mutant.survives();
        return Integer.toHexString(text.hashCode()) + " " + mutant.label();
    }
}
