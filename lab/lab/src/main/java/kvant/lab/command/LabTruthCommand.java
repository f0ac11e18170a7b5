package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import kvant.lab.experiment.PlantedExperiment.Law;
import kvant.load.host.BusyHost;
import kvant.load.loop.StopSwitch;
import kvant.report.truth.PlantedDifferences;
import kvant.report.truth.TruthTable;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Signals;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant lab truth`: how often verdicts are right.
@Command(
        name = "truth",
        description = "Print how often verdicts find differences that were planted, and how often their intervals have"
                + " the truth in them: the tables of docs/report.md. Of synthetic rounds, or of real nodes.",
        sortOptions = false,
        footer = {
            "",
            "'--real' needs a source tree whose benchmarks are built, and starts twelve nodes",
            "for each run: 14 runs of each of 15 kinds take two and a half hours. Below the",
            "table stand two totals with their confidence: how often A against A says",
            "\"different\", and how often intervals hold the truth. Ctrl-C ends it with the",
            "table of what was run; '--resume DIR' goes on.",
            "",
            "  kvant lab truth --real --runs 1 --laws delay"
        })
final class LabTruthCommand implements Callable<Integer> {

    private static final long MOST_RUNS = 100_000;
    private static final int SYNTHETIC_RUNS = 1000;
    private static final int REAL_RUNS = 14;
    private static final long USUAL_SEED = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--runs", paramLabel = "N", description = "Runs for each line (default: 1000, of real nodes 14).")
    private @Nullable String runs;

    @Option(names = "--seed", paramLabel = "N", description = "What the noise, or the keys, follow from (default: 1).")
    private @Nullable Long seed;

    @Option(names = "--real", description = "Run real nodes, one of which is slower by what is planted.")
    private boolean real;

    @Option(
            names = "--laws",
            paramLabel = "L,...",
            split = ",",
            description = "In which way it is: delay, slow, burn (default: all).")
    private List<String> laws = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "New folder for the results of real runs (default: kvant-lab-truth).")
    private @Nullable Path folder;

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description =
                    "Go on with the runs in this folder: those that were made are read. Laws and seed are its own.")
    private @Nullable Path resumed;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where data of the nodes go (default: the system's folder for temporary files).")
    private Path work = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    private final ThisKvant kvant;

    LabTruthCommand(ThisKvant kvant) {
        this.kvant = kvant;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (!real && (folder != null || resumed != null || !laws.isEmpty())) {
            throw wrong("'--out', '--resume' and '--laws' need '--real'");
        }
        if (folder != null && resumed != null) {
            throw wrong("either '--out' or '--resume'");
        }
        List<String> lines = real ? real() : TruthTable.lines(synthetic());
        lines.forEach(out::println);
        out.flush();
        return ExitCode.DONE;
    }

    private List<PlantedDifferences.Row> synthetic() {
        return PlantedDifferences.rows(orElse(count(), SYNTHETIC_RUNS), orElse(seed, USUAL_SEED));
    }

    private List<String> real() {
        TruthPlan plan = plan();
        if (kvant.command().bench().isEmpty()) {
            throw new UserException("'--real' starts nodes of 'kvant bench serve', and the benchmarks are not built");
        }
        Path into = resumed == null ? created(plan) : resumed;
        StopSwitch stop = new StopSwitch();
        Signals.onEach(List.of("INT", "TERM", "HUP"), _ -> {
            if (stop.isStopped()) {
                System.exit(ExitCode.FAILED); // interrupted twice
            }
            stop.stop();
        });
        try (ProgressLine line = new ProgressLine(spec.commandLine().getErr(), Terminal.isInteractive())) {
            BusyHost.warn(stop::sleep, line::note);
            return new RealTruth(kvant, into, work, line, stop).run(plan).lines();
        }
    }

    private TruthPlan plan() {
        if (resumed != null) {
            return TruthPlan.resumed(resumed, laws(), count(), seed);
        }
        List<Law> wanted = laws.isEmpty() ? List.of(Law.values()) : laws();
        return TruthPlan.of(wanted, orElse(count(), REAL_RUNS), orElse(seed, USUAL_SEED));
    }

    private Path created(TruthPlan plan) {
        Path into = folder == null ? Path.of("kvant-lab-truth") : folder;
        plan.create(into);
        return into;
    }

    private static <T> T orElse(@Nullable T given, T usual) {
        return given == null ? usual : given;
    }

    private List<Law> laws() {
        return laws.stream()
                .map(text -> Stream.of(Law.values())
                        .filter(law -> law.key().equals(text))
                        .findFirst()
                        .orElseThrow(() -> wrong("'--laws': '" + text + "' is not one of delay, slow, burn")))
                .distinct()
                .toList();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /// Null where nobody says.
    private @Nullable Integer count() {
        if (runs == null) {
            return null;
        }
        try {
            long count = Units.count(runs);
            if (count >= 1 && count <= MOST_RUNS) {
                return (int) count;
            }
        } catch (IllegalArgumentException _) {
            // said below
        }
        throw wrong("'--runs': '" + runs + "' is not a number from 1 to " + MOST_RUNS);
    }
}
