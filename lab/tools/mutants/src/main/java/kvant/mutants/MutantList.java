package kvant.mutants;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import kvant.text.YamlMap;

/// Reads the lists of all modules, and finds invalid entries.
final class MutantList {

    private static final List<String> KEYS = List.of("name", "file", "find", "replace", "test", "in", "survives");

    private final Modules modules;

    MutantList(Modules modules) {
        this.modules = modules;
    }

    /// @throws kvant.text.UserException naming file and line, when a list cannot be read
    List<Mutant> read() {
        List<Mutant> mutants = new ArrayList<>();
        for (Path module : modules.withMutants()) {
            Modules.list(Modules.mutants(module))
                    .filter(file -> file.toString().endsWith(".yaml"))
                    .forEach(file -> mutants.addAll(read(module, file)));
        }
        return mutants;
    }

    private List<Mutant> read(Path module, Path file) {
        String area = modules.path(module) + "/" + file.getFileName().toString().replace(".yaml", "");
        List<Mutant> mutants = new ArrayList<>();
        for (YamlMap one : YamlMap.read(file, List.of("mutants")).maps("mutants", KEYS)) {
            Path testModule = one.value("in", modules::named).orElse(module);
            mutants.add(new Mutant(
                    area,
                    one.place(),
                    one.needed("name"),
                    module,
                    one.needed("file"),
                    one.needed("find"),
                    one.text("replace", ""),
                    Mutant.Test.parse(testModule, one.needed("test")),
                    one.text("survives", "")));
        }
        return mutants;
    }

    /// The reasons why mutants cannot be applied, one line each.
    List<String> problems(List<Mutant> mutants) {
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Mutant mutant : mutants) {
            if (!names.add(mutant.label())) {
                problems.add(mutant.place() + ": a second mutant of this name");
            }
            checkPlace(mutant, problems);
            checkTest(mutant, problems);
        }
        return problems;
    }

    private void checkPlace(Mutant mutant, List<String> problems) {
        List<Path> sources = modules.sources(mutant.module(), mutant.file());
        if (sources.size() != 1) {
            problems.add(mutant.place() + ": " + sources.size() + " files are called " + mutant.file() + " in "
                    + mutant.module().getFileName());
            return;
        }
        long places = Patch.places(Modules.read(sources.getFirst()), mutant.find());
        if (places != 1) {
            problems.add(mutant.place() + ": what it changes occurs " + places + " times in " + mutant.file());
        } else if (Patch.isSame(mutant.find(), mutant.replace())) {
            problems.add(mutant.place() + ": it changes nothing");
        }
    }

    private void checkTest(Mutant mutant, List<String> problems) {
        Mutant.Test test = mutant.test();
        if (modules.test(test.module(), test.type()).isEmpty()) {
            problems.add(mutant.place() + ": there is no test " + test.type() + " in "
                    + test.module().getFileName());
        } else if (!test.method().isEmpty() && !modules.hasMethod(test.module(), test.type(), test.method())) {
            problems.add(mutant.place() + ": " + test.type() + " has no " + test.method());
        }
    }
}
