package kvant.prove;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import kvant.lab.process.Folders;
import kvant.prove.stage.Figures;
import kvant.prove.stage.Stage;
import kvant.prove.stage.Violation;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.command.CommandRunner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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

    private static final int SEEDS = 1_000_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--list", description = "List the trials, and what this machine cannot run.")
    private boolean list;

    @Option(names = "--only", paramLabel = "NAME", split = ",", description = "Run these trials alone.")
    private List<String> only = List.of();

    @Option(names = "--for", paramLabel = "TIME", description = "How long each trial lasts (default: 1m).")
    private String time = "1m";

    @Option(names = "--seed", paramLabel = "N", description = "Of random numbers (default: a random one).")
    private long seed = ThreadLocalRandom.current().nextInt(SEEDS);

    @Option(
            names = "--results",
            paramLabel = "DIR",
            description = "Where reliability.md and reliability.json are kept (default: docs/results).")
    private Path results = root().resolve("docs/results");

    public static void main(String[] args) {
        System.setProperty("kvant.debug", "true"); // a fault of a trial may not come again: its trace is shown
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, args));
    }

    static Path root() {
        return Path.of(System.getProperty("kvant.root", "."));
    }

    /// Runs a command line as a process would, except for the exit.
    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return new CommandRunner(new CommandLine(new Main()), List.of(IOException.class)).run(out, err, args);
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        Duration limit = limit();
        try (ProgressLine line = new ProgressLine(out, Terminal.isInteractive())) {
            for (Trial trial : chosen()) {
                if (list) {
                    String reason = trial.obstacle().get();
                    String obstacle = reason.isEmpty() ? "" : " (not run here: " + reason + ")";
                    out.printf(Locale.ROOT, "%-15s %3d  %s%s%n", trial.name(), trial.row(), trial.promise(), obstacle);
                } else if (!held(trial, limit, line)) {
                    return ExitCode.FAILED;
                }
            }
        }
        return ExitCode.DONE;
    }

    private Duration limit() {
        try {
            return Units.duration(time);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "'--for': " + e.getMessage(), e);
        }
    }

    private List<Trial> chosen() {
        List<Trial> chosen = new ArrayList<>(only.isEmpty() ? Trial.all() : List.of());
        for (String name : only) {
            chosen.add(Trial.all().stream()
                    .filter(trial -> trial.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(), "unknown trial '" + name + "': '--list' shows them")));
        }
        return chosen;
    }

    boolean held(Trial trial, Duration limit, ProgressLine line) throws Exception {
        Results table = new Results(results);
        String obstacle = trial.obstacle().get();
        if (!obstacle.isEmpty()) {
            line.line(trial.name() + ": not run here: " + obstacle);
            table.put(trial, "not run here: " + obstacle, seed, 0);
            return true;
        }
        Path folder = Files.createTempDirectory(Folders.create(root().resolve("target/prove")), trial.name() + "-");
        long begin = System.nanoTime();
        String begun = trial.name() + ": ";
        try (Stage stage = new Stage(folder, seed, limit, Integer.MAX_VALUE, text -> line.draw(begun + text))) {
            Figures figures = trial.run().on(stage);
            line.line(begun + "held: " + figures);
            table.put(trial, figures.toString(), seed, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
        } catch (Violation e) {
            line.line(begun + "VIOLATED: " + e.getMessage());
            line.line("  folder: " + folder + ", seed: " + seed);
            line.line("  again:  ./kvant prove --only " + trial.name() + " --seed " + seed + " --for " + time);
            table.put(trial, "VIOLATED: " + e.getMessage(), seed, 0);
            return false;
        }
        Folders.discard(folder);
        return true;
    }
}
