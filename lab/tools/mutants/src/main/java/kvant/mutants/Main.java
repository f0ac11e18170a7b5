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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import kvant.mutants.MutantTrial.Outcome;
import kvant.text.ExitCode;
import kvant.text.UserException;

/// `./kvant test --mutants [FILTER...]`: applies the mutants whose name, file or test contains one of the filters, each
/// alone and as many at a time as there are processors, to a copy of the tree made and built by the launcher.
public final class Main {

    /// Time limit of a test without a mutant: longer ones are unsuitable for a list of hundreds.
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final long NANOS_PER_MINUTE = 60_000_000_000L;

    private final Path tree;
    private final PrintStream out;
    private final Modules modules;
    private final TestJvm jvm;
    private final BlockingQueue<MutantTrial> idle = new LinkedBlockingQueue<>();

    // Guarded by this.
    private final Map<Mutant.Test, TestJvm.Result> usual = new HashMap<>();

    /// @param tree built: each module has its classes and `target/test.classpath`
    /// @param grace additional time for a test slowed down by a mutant, beyond five times its normal duration
    Main(Path tree, PrintStream out, Duration grace) {
        this.tree = tree;
        this.out = out;
        modules = new Modules(tree);
        Path scratch = tree.resolve("target/mutant");
        jvm = new TestJvm(tree, scratch.resolve("run"), modules);
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            TestJvm own = new TestJvm(tree, scratch.resolve("run" + i), modules);
            idle.add(new MutantTrial(modules, own, scratch.resolve(i + "/classes"), grace));
        }
    }

    /// Arguments: the built copy, the file for results, the commit, and filters.
    static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> filters = Arrays.asList(arguments).subList(3, arguments.length);
        try {
            Main main = new Main(Path.of(arguments[0]), System.out, GRACE);
            List<Mutant> all = new MutantList(main.modules).read();
            Path page = Path.of(arguments[1]);
            History history = new History(page.resolveSibling("mutants.history"), main.modules, all);
            List<MutantTrial.Result> results = main.run(all, filters, history);
            String circumstances = LocalDate.now(ZoneOffset.UTC) + ", commit " + arguments[2] + ", "
                    + Runtime.getRuntime().availableProcessors() + " cores, JVM " + Runtime.version();
            Files.writeString(page, ResultPage.of(history.of(all), all.size(), circumstances));
            System.exit(results.stream().anyMatch(MutantTrial.Result::isWrong) ? ExitCode.FAILED : ExitCode.DONE);
        } catch (UserException e) {
            System.err.println("kvant: " + e.getMessage());
            System.exit(ExitCode.FAILED);
        }
    }

    /// @param filters choose mutants, which are tried in any case; without one, those are that are not in the history
    /// @throws UserException when the list has errors, or no mutant matches
    List<MutantTrial.Result> run(List<Mutant> all, List<String> filters, History history)
            throws IOException, InterruptedException {
        List<Mutant> mutants = chosen(all, filters);
        List<Mutant> left = mutants.stream()
                .filter(one -> !filters.isEmpty() || !history.hasSettled(one))
                .toList();
        if (left.size() < mutants.size()) {
            out.println(mutants.size() - left.size() + " unchanged since they were tried, " + left.size() + " left");
        }
        long start = System.nanoTime();
        try (ExecutorService workers = Executors.newFixedThreadPool(idle.size())) {
            CompletionService<MutantTrial.Result> ended = new ExecutorCompletionService<>(workers);
            left.forEach(mutant -> ended.submit(() -> tried(mutant, left)));
            for (int i = left.size() - 1; i >= 0; i--) {
                MutantTrial.Result result = ended.take().resultNow();
                history.add(result);
                tell(result, i, (System.nanoTime() - start) / (left.size() - i) * i / NANOS_PER_MINUTE);
            }
        }
        List<MutantTrial.Result> results = history.of(mutants);
        out.println(ResultPage.summary(results, results.size()));
        results.stream()
                .filter(MutantTrial.Result::isWrong)
                .forEach(one -> out.println("not caught: " + one.mutant().place() + " "
                        + one.mutant().name() + " (" + one.mutant().test().label() + ")"));
        return results;
    }

    private void tell(MutantTrial.Result result, int left, long minutes) {
        String outcome = result.outcome().toString().toLowerCase(Locale.ROOT);
        String label = result.mutant().label() + (result.why().isEmpty() ? "" : " (" + result.why() + ")");
        String line = "%-8s %5.1f s  %s; %d left, about %d min%n";
        out.printf(Locale.ROOT, line, outcome, result.millis() / 1e3, label, left, minutes);
    }

    private List<Mutant> chosen(List<Mutant> all, List<String> filters) {
        List<Mutant> mutants = all.stream()
                .filter(one -> filters.isEmpty() || filters.stream().anyMatch(one::matches))
                .toList();
        List<String> problems = new MutantList(modules).problems(mutants);
        if (!problems.isEmpty()) {
            throw new UserException(String.join("\n", problems));
        }
        if (mutants.isEmpty()) {
            throw new UserException("no mutant of that name: the lists are */src/test/mutants/*.yaml");
        }
        return mutants;
    }

    /// The result of a test without a mutant: one that fails then proves nothing. Runs all tests of its module at once.
    private synchronized TestJvm.Result usual(Mutant.Test wanted, List<Mutant> mutants) {
        if (!usual.containsKey(wanted)) {
            List<Mutant.Test> tests = mutants.stream()
                    .map(Mutant::test)
                    .filter(test -> test.module().equals(wanted.module()))
                    .distinct()
                    .toList();
            List<TestJvm.Result> results = jvm.run(tests, tree.resolve("target/mutant/nothing"), LONGEST);
            for (int i = 0; i < tests.size(); i++) {
                usual.put(tests.get(i), results.get(i));
            }
            out.println(wanted.module().getFileName() + ": " + tests.size() + " tests without a mutant");
        }
        return Objects.requireNonNull(usual.get(wanted));
    }

    private MutantTrial.Result tried(Mutant mutant, List<Mutant> mutants) throws InterruptedException {
        TestJvm.Result without = usual(mutant.test(), mutants);
        String obstacle = switch (without.verdict()) {
            case PASSED -> "";
            case FAILED -> "its test fails without it";
            case NOT_RUN -> "its test does not run here";
            case HUNG -> "its test takes longer than " + LONGEST.toMinutes() + " minutes without it";
        };
        if (!obstacle.isEmpty()) {
            return new MutantTrial.Result(mutant, Outcome.BROKEN, 0, obstacle);
        }
        MutantTrial trial = idle.take();
        try {
            return trial.run(mutant, without.millis());
        } finally {
            idle.add(trial);
        }
    }
}
