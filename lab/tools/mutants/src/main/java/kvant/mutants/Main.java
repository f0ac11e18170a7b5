package kvant.mutants;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import kvant.mutants.MutantTrial.Outcome;
import kvant.text.ExitCode;
import kvant.text.UserException;

/// `./kvant test --mutants [FILTER...]`: applies the mutants whose name, file or test contains one of the filters, one
/// after the other, to a copy of the tree made and built by the launcher.
public final class Main {

    /// Time limit of a test without a mutant: longer ones are unsuitable for a list of hundreds.
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;

    private final Path tree;
    private final PrintStream out;
    private final Modules modules;
    private final TestJvm jvm;
    private final MutantTrial trial;

    /// @param tree built: each module has its classes and `target/test.classpath`
    /// @param grace additional time for a test slowed down by a mutant, beyond five times its normal duration
    Main(Path tree, PrintStream out, Duration grace) {
        this.tree = tree;
        this.out = out;
        modules = new Modules(tree);
        Path scratch = tree.resolve("target/mutant");
        jvm = new TestJvm(tree, scratch.resolve("run"), modules);
        trial = new MutantTrial(modules, jvm, scratch.resolve("classes"), grace);
    }

    /// Arguments: the built copy, the file for results, the commit, and filters.
    static void main(String[] arguments) throws IOException {
        List<String> filters = Arrays.asList(arguments).subList(3, arguments.length);
        try {
            Main main = new Main(Path.of(arguments[0]), System.out, GRACE);
            // Changes that are not committed may be others the next time.
            boolean isKept = filters.isEmpty() && !arguments[2].contains(" ");
            Path kept = Path.of(arguments[0], "target", "mutants-unfinished");
            List<MutantTrial.Result> results = main.run(filters, new Unfinished(kept, isKept ? arguments[2] : ""));
            if (filters.isEmpty()) {
                Files.writeString(Path.of(arguments[1]), ResultPage.of(results, circumstances(arguments[2])));
            }
            System.exit(results.stream().anyMatch(MutantTrial.Result::isWrong) ? ExitCode.FAILED : ExitCode.DONE);
        } catch (UserException e) {
            System.err.println("kvant: " + e.getMessage());
            System.exit(ExitCode.FAILED);
        }
    }

    private static String circumstances(String commit) {
        return LocalDate.now(ZoneOffset.UTC) + ", commit " + commit + ", "
                + Runtime.getRuntime().availableProcessors() + " cores, JVM " + Runtime.version();
    }

    /// @throws UserException when the list has errors, or no mutant matches
    List<MutantTrial.Result> run(List<String> filters, Unfinished unfinished) {
        List<Mutant> mutants = chosen(filters);
        Map<String, MutantTrial.Result> done = unfinished.read(mutants);
        List<Mutant> left =
                mutants.stream().filter(one -> !done.containsKey(one.label())).toList();
        if (!done.isEmpty()) {
            out.println(done.size() + " were tried before on this commit, " + left.size() + " are left");
        }
        Map<Mutant.Test, TestJvm.Result> usual = new HashMap<>();
        long start = System.nanoTime();
        for (int i = 0; i < left.size(); i++) {
            Mutant mutant = left.get(i);
            if (!usual.containsKey(mutant.test())) {
                usual.putAll(withoutMutants(mutant.test().module(), left));
            }
            MutantTrial.Result result = tried(mutant, Objects.requireNonNull(usual.get(mutant.test())));
            unfinished.add(result);
            done.put(mutant.label(), result);
            long minutes = (System.nanoTime() - start) / (i + 1) * (left.size() - i - 1) / NANOS_PER_MINUTE;
            out.printf(
                    Locale.ROOT,
                    "%-8s %5.1f s  %s%s; %d left, about %d min%n",
                    result.outcome().toString().toLowerCase(Locale.ROOT),
                    result.millis() / 1e3,
                    mutant.label(),
                    result.why().isEmpty() ? "" : " (" + result.why() + ")",
                    left.size() - i - 1,
                    minutes);
        }
        unfinished.end();
        List<MutantTrial.Result> results = mutants.stream()
                .map(one -> Objects.requireNonNull(done.get(one.label())))
                .toList();
        summarize(results);
        return results;
    }

    private List<Mutant> chosen(List<String> filters) {
        MutantList list = new MutantList(modules);
        List<Mutant> mutants = list.read().stream()
                .filter(one -> filters.isEmpty() || filters.stream().anyMatch(one::matches))
                .toList();
        List<String> problems = list.problems(mutants);
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        if (mutants.isEmpty()) {
            throw new UserException("no mutant of that name: the lists are */src/test/mutants/*.yaml");
        }
        return mutants;
    }

    private void summarize(List<MutantTrial.Result> results) {
        out.println(ResultPage.summary(results));
        results.stream()
                .filter(MutantTrial.Result::isWrong)
                .forEach(one -> out.println("not caught: " + one.mutant().place() + " "
                        + one.mutant().name() + " (" + one.mutant().test().label() + ")"));
    }

    /// Runs a module's tests without a mutant. A test that fails then proves nothing.
    private Map<Mutant.Test, TestJvm.Result> withoutMutants(Path module, List<Mutant> mutants) {
        List<Mutant.Test> tests = mutants.stream()
                .map(Mutant::test)
                .filter(test -> test.module().equals(module))
                .distinct()
                .toList();
        Path nothing = tree.resolve("target/mutant/nothing");
        List<TestJvm.Result> results = jvm.run(tests, nothing, LONGEST);
        Map<Mutant.Test, TestJvm.Result> usual = new HashMap<>();
        for (int i = 0; i < tests.size(); i++) {
            usual.put(tests.get(i), results.get(i));
        }
        out.println(module.getFileName() + ": " + tests.size() + " tests without a mutant");
        return usual;
    }

    private MutantTrial.Result tried(Mutant mutant, TestJvm.Result usual) {
        return switch (usual.verdict()) {
            case PASSED -> trial.run(mutant, usual.millis());
            case FAILED -> broken(mutant, "its test fails without it");
            case NOT_RUN -> broken(mutant, "its test does not run here");
            case HUNG -> broken(mutant, "its test takes longer than " + LONGEST.toMinutes() + " minutes without it");
        };
    }

    private static MutantTrial.Result broken(Mutant mutant, String why) {
        return new MutantTrial.Result(mutant, Outcome.BROKEN, 0, why);
    }
}
