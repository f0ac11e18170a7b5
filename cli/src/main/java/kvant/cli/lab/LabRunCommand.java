package kvant.cli.lab;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.ExperimentReader;
import kvant.lab.experiment.Question;
import kvant.lab.experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.lab.experiment.Step;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.Remark;
import kvant.lab.run.LabRun;
import kvant.lab.run.NothingStartsException;
import kvant.lab.run.RunRequest;
import kvant.load.host.BusyHost;
import kvant.load.loop.StopSwitch;
import kvant.report.Languages;
import kvant.report.sentence.Remarks;
import kvant.text.ExitCode;
import kvant.text.ProgressLine;
import kvant.text.Signals;
import kvant.text.Terminal;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant lab run`: runs an experiment, or goes on with one.
@Command(
        name = "run",
        description = "Run an experiment: each variant under each load, in turn, and write a folder of results.",
        sortOptions = false,
        footer = {
            "",
            "Ctrl-C stops the step in progress and keeps all before it; 'kvant lab run",
            "--resume DIR' goes on. Exit codes: 0 all was measured; 1 something was not, the",
            "reason is printed and stands in run.json; 2 wrong command line."
        })
final class LabRunCommand implements Callable<Integer> {

    private static final String LONGEST = "2h";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A letter or name of 'kvant lab list', or a file.")
    private @Nullable String name;

    @ArgGroup
    private ScaleOptions scale = new ScaleOptions();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Folder of results, which must not exist (default: kvant-lab-NAME-DATE-TIME).")
    private @Nullable Path folder;

    @Option(names = "--resume", paramLabel = "DIR", description = "Go on with the run in this folder.")
    private @Nullable Path resumed;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where data of the servers go, in a folder that is deleted at the end (default: the system's"
                    + " folder for temporary files).")
    private Path work = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--repeats", paramLabel = "N", description = "How often each variant gets each load.")
    private @Nullable String repeats;

    @Option(names = "--duration", paramLabel = "T", description = "Measured time of each load, such as 30s.")
    private @Nullable String duration;

    @Option(names = "--variants", paramLabel = "V,...", split = ",", description = "Only these variants.")
    private List<String> variants = new ArrayList<>();

    @Option(names = "--phases", paramLabel = "P,...", split = ",", description = "Only these phases.")
    private List<String> phases = new ArrayList<>();

    @Option(names = "--no-profile", description = "Without the steps under the profiler.")
    private boolean withoutProfile;

    @Option(
            names = "--see",
            paramLabel = "P",
            description = "The difference that matters in all questions, such as 5%% (default: as they say, 10%%).")
    private @Nullable String see;

    @Option(
            names = "--until-decided",
            description =
                    "Go on, in blocks of two rounds, until each question has its answer: a difference, or none that"
                            + " matters.")
    private boolean untilDecided;

    @Option(
            names = "--at-most",
            paramLabel = "T",
            description = "How long '--until-decided' may take (default: 2h). One block is always run.")
    private @Nullable String atMost;

    @Option(
            names = "--lang",
            paramLabel = "L,...",
            description = "Languages of the report: en (always written), ru (report.ru.html, report.ru.md).")
    private String languages = "en";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    private final ThisKvant kvant;

    LabRunCommand(ThisKvant kvant) {
        this.kvant = kvant;
    }

    @Override
    public Integer call() {
        if ((name == null) == (resumed == null)) {
            throw wrong("either an experiment or '--resume DIR' is needed; 'kvant lab list' has the experiments");
        }
        if (resumed != null && changesTheExperiment()) {
            throw wrong("'--resume' goes on with the experiment as it was begun: only '--work' goes with it");
        }
        if (untilDecided && repeats != null) {
            throw wrong("either '--repeats' or '--until-decided', which runs as many as it takes");
        }
        if (atMost != null && !untilDecided) {
            throw wrong("'--at-most' needs '--until-decided'");
        }
        if (!Files.isDirectory(work) || !Files.isWritable(work)) {
            throw new UserException("cannot create files in " + work + ", the folder for data ('--work')");
        }
        @Nullable Experiment experiment = name == null ? null : experiment(name);
        StopSwitch stop = new StopSwitch();
        PrintWriter err = spec.commandLine().getErr();
        Signals.onEach(List.of("INT", "TERM", "HUP"), _ -> {
            if (stop.isStopped()) {
                System.exit(ExitCode.FAILED); // interrupted twice; what must be cleaned up ends with the JVM
            }
            stop.stop();
        });
        LabRun.Outcome outcome;
        try (LabLine line = new LabLine(new ProgressLine(err, Terminal.isInteractive()))) {
            String busy = BusyHost.warning(stop::sleep);
            if (!busy.isEmpty()) {
                line.note(busy);
            }
            outcome = outcome(experiment, line, stop);
        }
        return explained(outcome);
    }

    private LabInstruments instruments() {
        try {
            return new LabInstruments(Languages.parse(languages));
        } catch (IllegalArgumentException e) {
            throw wrong("'--lang': " + e.getMessage());
        }
    }

    private boolean changesTheExperiment() {
        return scale.scale() != Scale.FULL
                || withoutProfile
                || folder != null
                || repeats != null
                || duration != null
                || see != null
                || untilDecided
                || !variants.isEmpty()
                || !phases.isEmpty();
    }

    private LabRun.Outcome outcome(@Nullable Experiment experiment, LabLine line, StopSwitch stop) {
        if (experiment == null) {
            Path known = resumed == null ? Path.of("") : resumed;
            Experiment own = LabRun.experimentOf(known);
            return started(
                    () -> LabRun.resumed(request(own, known, LabRun.commandOf(known)), instruments(), line, stop));
        }
        Path out = folder == null ? Path.of(usualName(experiment)) : folder;
        line.note(experiment.name() + ", " + LabText.summary(experiment) + ", into " + out);
        return started(() -> LabRun.run(request(experiment, out, toRepeat()), instruments(), line, stop));
    }

    private static LabRun.Outcome started(Supplier<LabRun.Outcome> run) {
        try {
            return run.get();
        } catch (NothingStartsException e) {
            throw new UserException("no variant can be started: " + Remarks.english(e.reason()), e);
        }
    }

    private Experiment experiment(String wanted) {
        Experiment experiment = Shipped.find(wanted).read(scale.scale());
        try {
            experiment = experiment.only(variants, phases);
            experiment = repeats == null ? experiment : experiment.withRepeats(ExperimentReader.repeats(repeats));
            experiment = untilDecided ? experiment.withRepeats(Step.ROUNDS) : experiment;
            experiment = see == null ? experiment : experiment.withMargin(Question.margin(see));
            if (duration != null) {
                String length = Units.duration(duration).toMillis() + "ms";
                experiment = experiment.withPhases(phase -> phase.with("duration", length));
            }
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        return withoutProfile ? experiment.withoutProfiles() : experiment;
    }

    private RunRequest request(Experiment experiment, Path out, String command) {
        return new RunRequest(
                experiment, limit(), out, work, kvant.command(), kvant.obstacle(), command, ThisKvant.identity());
    }

    private @Nullable UntilDecided limit() {
        if (!untilDecided) {
            return null;
        }
        try {
            return new UntilDecided(
                    Units.duration(atMost == null ? LONGEST : atMost).toNanos());
        } catch (IllegalArgumentException e) {
            throw wrong("'--at-most': " + e.getMessage());
        }
    }

    /// The command that repeats the run elsewhere: all options that affect what is measured, and no paths of
    /// this machine.
    private String toRepeat() {
        Path file = Path.of(String.valueOf(name));
        List<String> words = new ArrayList<>(List.of("./kvant", "lab", "run"));
        words.add(file.isAbsolute() ? String.valueOf(file.getFileName()) : file.toString());
        option(words, scale.scale() != Scale.FULL, "--" + scale.scale().key());
        option(words, repeats != null, "--repeats", String.valueOf(repeats));
        option(words, duration != null, "--duration", String.valueOf(duration));
        option(words, !variants.isEmpty(), "--variants", String.join(",", variants));
        option(words, !phases.isEmpty(), "--phases", String.join(",", phases));
        option(words, withoutProfile, "--no-profile");
        option(words, see != null, "--see", String.valueOf(see));
        option(words, untilDecided, "--until-decided");
        option(words, atMost != null, "--at-most", String.valueOf(atMost));
        return String.join(" ", words);
    }

    private static void option(List<String> words, boolean given, String... option) {
        if (given) {
            words.addAll(List.of(option));
        }
    }

    private static String usualName(Experiment experiment) {
        DateTimeFormatter moment = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
        return "kvant-lab-" + experiment.name() + "-" + LocalDateTime.now().format(moment);
    }

    private int explained(LabRun.Outcome outcome) {
        PrintWriter err = spec.commandLine().getErr();
        outcome.missing()
                .forEach(one -> err.println(
                        "kvant: missing: " + Remarks.english(one.what()) + ": " + Remarks.english(one.why())));
        @Nullable Remark partial = outcome.partialReason();
        if (partial != null) {
            err.println("kvant: the results are partial: " + Remarks.english(partial) + " ('kvant lab run --resume "
                    + outcome.folder() + "' goes on)");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(outcome.folder());
        out.flush();
        return partial == null ? ExitCode.DONE : ExitCode.FAILED;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
