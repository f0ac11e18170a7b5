package kvant.lab.command;

import java.io.File;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.lab.command.RoundOptions.ScaleOptions;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.ExperimentLint;
import kvant.lab.experiment.Shipped;
import kvant.lab.result.Identity;
import kvant.lab.result.Remark;
import kvant.lab.run.Launch.KvantCommand;
import kvant.lab.run.Preflight;
import kvant.report.sentence.Remarks;
import kvant.text.ExitCode;
import kvant.text.UserException;
import kvant.text.command.CommandGroup;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `kvant lab`: experiments.
@Command(
        name = "lab",
        description = "Run experiments: variants of a node under the same loads, in turn, with a report.",
        footer = {
            "",
            "docs/experiments.md describes the files, docs/report.md the report.",
            "",
            "  kvant lab list",
            "  kvant lab run pool-and-queue --quick"
        })
public final class LabCommand extends CommandGroup {

    private LabCommand() {}

    /// Creates the command with its subcommands.
    ///
    /// @param kvant how to start nodes under test
    public static CommandLine commandLine(ThisKvant kvant) {
        return new CommandLine(new LabCommand())
                .addSubcommand(new LabRunCommand(kvant))
                .addSubcommand(new ListCommand())
                .addSubcommand(new ShowCommand())
                .addSubcommand(new CheckCommand(kvant))
                .addSubcommand(new LabTryCommand(kvant))
                .addSubcommand(new LabCompareCommitsCommand(kvant))
                .addSubcommand(new LabPlanCommand())
                .addSubcommand(new LabReportCommand());
    }

    /// `kvant lab list`: the experiments that come with Kvant.
    @Command(name = "list", description = "List the experiments that come with Kvant.")
    private static final class ListCommand extends LabAction {

        @Override
        public Integer call() {
            PrintWriter out = out();
            for (String name : Shipped.names()) {
                Shipped shipped = Shipped.find(name);
                Experiment full = shipped.read(Scale.FULL);
                out.printf("%s  %-18s %s%n", full.letter(), full.name(), full.title());
                full.questions().stream().findFirst().ifPresent(first -> out.printf("   %-18s %s%n", "", first.text()));
                Experiment decide = shipped.read(Scale.DECIDE);
                out.printf(
                        "   %-18s about %s; with --short about %s, with --quick about %s, with --decide %s to %s%n",
                        "",
                        LabText.time(full.estimate()),
                        LabText.time(shipped.read(Scale.SHORT).estimate()),
                        LabText.time(shipped.read(Scale.QUICK).estimate()),
                        LabText.time(LabText.untilDecided(decide)),
                        LabText.time(decide.atMost()));
            }
            out.flush();
            return ExitCode.DONE;
        }
    }

    /// `kvant lab show`: prints an experiment with all variants and defaults spelled out.
    @Command(name = "show", description = "Show an experiment: variants, phases, questions, and how long it takes.")
    private static final class ShowCommand extends LabAction {

        @Parameters(paramLabel = "NAME", description = "A letter or name of 'kvant lab list', or a file.")
        private String name = "";

        @ArgGroup
        private ScaleOptions scale = new ScaleOptions();

        @Override
        public Integer call() {
            LabText.print(out(), Shipped.find(name).read(scale.scale()));
            return ExitCode.DONE;
        }
    }

    /// `kvant lab check`: checks whether an experiment can run here, and reports flaws in its method.
    @Command(
            name = "check",
            description = "Check an experiment without running it: its file, and whether its servers can start here.",
            footer = {"", "Exit codes: 0 it can be run, with or without warnings; 1 it cannot; 2 wrong command line."})
    private static final class CheckCommand extends LabAction {

        @Parameters(paramLabel = "FILE", description = "A file, or a letter or name of 'kvant lab list'.")
        private String file = "";

        private final ThisKvant kvant;

        CheckCommand(ThisKvant kvant) {
            this.kvant = kvant;
        }

        @Override
        public Integer call() {
            Shipped source = Shipped.find(file);
            Experiment experiment = source.read(Scale.FULL);
            PrintWriter out = out();
            List<Remark> doubts =
                    ExperimentLint.of(experiment, Runtime.getRuntime().availableProcessors());
            doubts.forEach(doubt -> out.println(source.label() + ": warning: " + Remarks.english(doubt)));
            out.flush();
            Map<String, Remark> obstacles =
                    new LinkedHashMap<>(Preflight.obstacles(experiment, kvant.command(), kvant.obstacle()));
            PrintWriter err = err();
            obstacles.forEach((variant, why) ->
                    err.println("kvant: " + source.label() + ": variant " + variant + ": " + Remarks.english(why)));
            if (!obstacles.isEmpty()) {
                throw new UserException(source.label() + ": " + obstacles.size() + " of "
                        + experiment.variants().size() + " variants cannot be started");
            }
            out.println(source.label() + ": " + LabText.summary(experiment));
            out.flush();
            return ExitCode.DONE;
        }
    }

    /// The running program, to be started again and identified in a report.
    ///
    /// @param main class whose `main` method understands `serve`
    /// @param obstacle returns the reason why `serve` refuses these options, or an empty text
    public record ThisKvant(String main, Function<List<String>, String> obstacle) {

        /// The same JVM, launcher options and class path, without the additions of `KVANT_JAVA_OPTS`, which are
        /// intended for the laboratory.
        KvantCommand command() {
            List<String> java = new ArrayList<>();
            java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            java.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            @Nullable String own = System.getenv("KVANT_JAVA_OPTS");
            if (own != null) {
                java.removeAll(Arrays.asList(own.strip().split("\\s+")));
            }
            String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .collect(Collectors.joining(File.pathSeparator));
            return new KvantCommand(java, List.of("-cp", classPath, main), bench());
        }

        /// The command that starts the benchmarks, which the launcher builds; empty outside a source tree.
        private static List<String> bench() {
            @Nullable String root = System.getProperty("kvant.root");
            if (root == null || !Files.isDirectory(Path.of(root, "lab", "bench", "target", "lib"))) {
                return List.of();
            }
            Path module = Path.of(root, "lab", "bench", "target");
            String classPath =
                    module.resolve("classes") + File.pathSeparator + module.resolve("lib") + File.separator + "*";
            return List.of("-cp", classPath, "kvant.bench.Main");
        }

        static Identity identity() {
            return Identity.of(ThisKvant.class);
        }
    }
}
