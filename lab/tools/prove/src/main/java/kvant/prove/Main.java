package kvant.prove;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import kvant.lab.process.Folders;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Trial;
import kvant.prove.stage.Violation;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.UserException;
import kvant.text.command.OptionTypes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// `kvant prove`: runs trials, and writes what they counted into the table of promises.
@Command(
        name = "kvant prove",
        mixinStandardHelpOptions = true,
        description = "Put the promises of a node to the test, at full length: kills, power cuts, faults, histories.",
        footer = {
            "",
            "'./kvant prove attack list' lists attacks on a node, which are run by './kvant prove attack NAME'.",
            "Exit codes: 0 each promise held or could not be tried here, 1 one did not, 2 wrong command line."
        })
public final class Main implements Callable<Integer> {

    private static final int MANY = Integer.MAX_VALUE;
    private static final int SEEDS = 1_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--list", description = "List the trials, and what this machine cannot run.")
    private boolean list;

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Run these trials alone.")
    private List<String> only = List.of();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = Time.class,
            description = "How long each trial goes on (default: ${DEFAULT-VALUE}).")
    private Duration time = Duration.ofMinutes(1);

    @Option(names = "--seed", paramLabel = "N", description = "Of random numbers (default: a random one).")
    private @Nullable Long seed;

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Where reliability.md and reliability.json are kept (default: docs/results).")
    private @Nullable Path results;

    @Option(names = "--work", paramLabel = "DIR", description = "Where trials run (default: target/prove).")
    private @Nullable Path work;

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, args));
    }

    /// Runs a command line as a process would, except for the exit.
    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return OptionTypes.register(new CommandLine(new Main()))
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((wrong, _) -> {
                    err.println("kvant: " + wrong.getMessage() + " (see 'kvant prove --help')");
                    return ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((failure, _, _) -> {
                    if (!(failure instanceof UserException || failure instanceof IOException)) {
                        throw failure; // a fault of a trial: print the stack trace
                    }
                    err.println("kvant: " + failure.getMessage());
                    return ExitCode.FAILED;
                })
                .execute(args);
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        List<Trial> chosen = chosen();
        if (list) {
            for (Trial trial : chosen) {
                String obstacle = trial.obstacle();
                out.printf("%-22s row %-3d %s%n", trial.name(), trial.row(), trial.promise());
                out.print(obstacle.isEmpty() ? "" : "%22s not run here: %s%n".formatted("", obstacle));
            }
            out.flush();
            return ExitCode.DONE;
        }
        long from = seed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : seed;
        try (ProgressLine line = new ProgressLine(out, Terminal.isInteractive())) {
            for (Trial trial : chosen) {
                if (!held(trial, from, line)) {
                    return ExitCode.FAILED;
                }
            }
        }
        return ExitCode.DONE;
    }

    private List<Trial> chosen() {
        List<Trial> chosen = new ArrayList<>(only.isEmpty() ? Trials.all().toList() : List.of());
        for (String name : only) {
            chosen.add(Trials.named(name)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(), "there is no trial '" + name + "': '--list' shows them")));
        }
        return chosen;
    }

    boolean held(Trial trial, long from, ProgressLine line) throws Exception {
        Path table = results != null ? results : root().resolve("docs").resolve("results");
        String obstacle = trial.obstacle();
        if (!obstacle.isEmpty()) {
            line.line(trial.name() + ": not run here: " + obstacle);
            new Results(table).put(trial, "not run here: " + obstacle, new Figures(), from, 0);
            return true;
        }
        Path folder = Files.createTempDirectory(Folders.create(workFolder()), trial.name() + "-");
        long begin = System.nanoTime();
        try (Stage stage = new Stage(folder, from, time, MANY, text -> line.draw(trial.name() + ": " + text))) {
            Figures figures = trial.run(stage);
            line.line(trial.name() + ": held: " + figures);
            new Results(table).put(trial, Results.HELD, figures, from, (System.nanoTime() - begin) / 1_000_000_000);
        } catch (Violation e) {
            line.line(trial.name() + ": VIOLATED: " + e.getMessage());
            line.line("  folder: " + folder + ", seed: " + from);
            line.line("  again:  ./kvant prove --only " + trial.name() + " --seed " + from + " --for "
                    + time.toSeconds() + "s");
            new Results(table).put(trial, Results.VIOLATED, new Figures().add("trials", 1), from, 0);
            return false;
        }
        Folders.discard(folder);
        return true;
    }

    private Path workFolder() {
        return work != null ? work : root().resolve("target").resolve("prove");
    }

    private static Path root() {
        return Path.of(System.getProperty("kvant.root", "."));
    }

    static final class Time implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String text) {
            try {
                return Units.duration(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
