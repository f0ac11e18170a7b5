package kvant.lab.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import kvant.lab.command.LabSession.LabInstruments;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.HostBound;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.ExperimentReader;
import kvant.lab.experiment.Step;
import kvant.lab.experiment.Trial;
import kvant.lab.experiment.Variant;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.run.LabRun;
import kvant.report.words.Words.Language;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Options for the number of rounds and the output folder, of all commands that run an experiment.
final class RoundOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "New folder for the results (default: kvant-lab-NAME-DATE-TIME, in UTC).")
    private @Nullable Path folder;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Folder for data of the servers, in a subfolder deleted at the end (default: the system's folder"
                            + " for temporary files).")
    private Path work = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(names = "--repeats", paramLabel = "N", description = "Rounds: repetitions of each load for each variant.")
    private @Nullable String repeats;

    @Option(names = "--no-profile", description = "Leave out the steps under the profiler.")
    private boolean withoutProfile;

    @Option(
            names = "--see",
            paramLabel = "P",
            description =
                    "Relevant difference in all questions but those about errors, such as 5%% (default: per question,"
                            + " 10%%).")
    private @Nullable String see;

    @Option(
            names = "--until-decided",
            description =
                    "Add blocks of two rounds until each question is answered: a difference, or none that matters.")
    private boolean untilDecided;

    @Option(
            names = "--at-most",
            paramLabel = "T",
            description =
                    "Time limit of --until-decided (default: as the experiment says, or 2h); one block always runs.")
    private @Nullable String atMost;

    @Option(
            names = "--disturbed",
            paramLabel = "P",
            description = "Leave out blocks of rounds in which the host or other processes took more than this share of"
                    + " the processors; 'off' for none (default: as the experiment says, 10%%).")
    private @Nullable String disturbed;

    @Option(
            names = "--again",
            paramLabel = "N",
            description = "Repetitions of a step disturbed so (default: as the experiment says, 0; 6 with '--decide').")
    private @Nullable String again;

    @Option(
            names = "--interleaved",
            paramLabel = "T",
            description =
                    "Measure the variants of a round in turns, this long each, on servers that are alive together; a"
                            + " disturbed turn is measured again. 'off': one after the other (default: as the"
                            + " experiment says, off; 1s with '--decide').")
    private @Nullable String interleaved;

    @Option(
            names = "--lang",
            paramLabel = "L,...",
            description = "Languages of the report: en (always written), ru (report.ru.html, report.ru.md).")
    private String languages = "en";

    private boolean decide;

    /// Selects a run until decided: the scale of the experiment has no other end.
    void decide() {
        decide = true;
    }

    private boolean goesOn() {
        return untilDecided || decide;
    }

    /// Refuses contradictory options, and a folder that is not writable.
    void check() {
        if (goesOn() && repeats != null) {
            throw wrong("either '--repeats' or '" + (decide ? "--decide" : "--until-decided")
                    + "', which runs as many as it takes");
        }
        if (atMost != null && !goesOn()) {
            throw wrong("'--at-most' needs '--until-decided'");
        }
        if (folder != null) {
            LabRun.requireNew(folder);
        }
        if (!Files.isDirectory(work) || !Files.isWritable(work)) {
            throw new UserException("cannot create files in " + work + ", the folder for data ('--work')");
        }
        if (atMost != null && atMost(Duration.ZERO).isZero()) {
            throw wrong("'--at-most': '" + atMost + "' is no time, and a run takes some");
        }
        instruments();
    }

    /// True if these options change the experiment.
    boolean changeTheExperiment() {
        return withoutProfile
                || folder != null
                || repeats != null
                || see != null
                || goesOn()
                || atMost != null
                || disturbed != null
                || again != null
                || interleaved != null;
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    Experiment applied(Experiment given) {
        Experiment experiment = repeats == null ? given : given.withRepeats(wholeBlocks(repeats));
        experiment = goesOn() ? experiment.withRepeats(Step.ROUNDS) : experiment;
        experiment = see == null ? experiment : experiment.withMargin(Question.margin(see));
        HostBound usual = experiment.disturbed();
        experiment = experiment.withDisturbed(new HostBound(
                disturbed == null ? usual.above() : parsed("--disturbed", disturbed, HostBound::parse),
                again == null ? usual.again() : parsed("--again", again, HostBound::parseAgain),
                interleaved == null ? usual.slice() : parsed("--interleaved", interleaved, HostBound::parseSlice)));
        return withoutProfile ? experiment.withoutProfiles() : experiment;
    }

    /// Rounds up to whole blocks. An odd last repeat would belong to no block, so that changes on the machine would not
    /// cancel out. A single repeat is a trial, and remains one.
    private static int wholeBlocks(String text) {
        int given = ExperimentReader.repeats(text);
        return given == 1 ? 1 : given + given % Step.ROUNDS;
    }

    /// A note for an odd number of repeats that was rounded up.
    Optional<String> roundedUp() {
        if (repeats == null || ExperimentReader.repeats(repeats) == wholeBlocks(repeats)) {
            return Optional.empty();
        }
        return Optional.of("'--repeats " + repeats + "' becomes " + wholeBlocks(repeats)
                + ": two repeats are a block, and an odd one would belong to none");
    }

    Path folder(Experiment experiment) {
        DateTimeFormatter moment = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
        return folder == null
                ? Path.of("kvant-lab-" + experiment.name() + "-"
                        + LocalDateTime.now(ZoneOffset.UTC).format(moment))
                : folder;
    }

    Path work() {
        return work;
    }

    /// Null if the experiment fixes the number of rounds.
    @Nullable
    UntilDecided limit(Experiment experiment) {
        return goesOn() ? new UntilDecided(atMost(experiment.atMost()).toNanos()) : null;
    }

    private Duration atMost(Duration usual) {
        return atMost == null ? usual : parsed("--at-most", atMost, Units::duration);
    }

    LabInstruments instruments() {
        return new LabInstruments(parsed("--lang", languages, Language::list));
    }

    private <T> T parsed(String option, String text, Function<String, T> parser) {
        return LabAction.parsed(spec, option, text, parser);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /// The option that selects the size of an experiment.
    static final class ScaleOptions {

        @Option(names = "--short", description = "Short scale: A to F together in about 70 minutes.")
        private boolean shortened;

        @Option(names = "--quick", description = "Quick scale: a few minutes each.")
        private boolean quick;

        @Option(
                names = "--decide",
                description =
                        "Only the loads of the questions, in short steps, until decided: A to E together in an hour.")
        private boolean decide;

        Scale scale() {
            if (decide) {
                return Scale.DECIDE;
            }
            return quick ? Scale.QUICK : shortened ? Scale.SHORT : Scale.FULL;
        }
    }

    /// Loads and questions of an experiment without a file.
    static final class TrialOptions {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec spec = CommandSpec.create();

        @Option(
                names = "--workload",
                paramLabel = "W,...",
                split = ",",
                description = "Loads: put, get, delete, mixed, scan, a to f (default: put,get).")
        private List<String> workloads = List.of("put", "get");

        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Requests per second, or 'closed' for a closed loop (default: 2k).")
        private String rate = "2k";

        @Option(names = "--connections", paramLabel = "N", description = "Connections (default: 64).")
        private @Nullable String connections;

        @Option(names = "--duration", paramLabel = "T", description = "Measured time of each load (default: 10s).")
        private String duration = "10s";

        @Option(
                names = "--warmup",
                paramLabel = "T",
                description = "Warm-up, not measured (default: until stable, at most 60s).")
        private @Nullable String warmup;

        @Option(names = "--prefill", paramLabel = "N", description = "Keys put before loads that read (default: 100k).")
        private @Nullable String prefill;

        @Option(names = "--value-size", paramLabel = "SPEC", description = "Bytes of a value (default: 100).")
        private @Nullable String valueSize;

        @Option(
                names = "--metric",
                paramLabel = "M,...",
                split = ",",
                description = "Metrics: p50 to p99.99, mean, max, rate, cpu, memory, errors, stage.queue and more"
                        + " (default: p99,cpu).")
        private List<String> metrics = List.of("p99", "cpu");

        /// @param title of the experiment
        /// @param titleRu title in Russian
        Experiment experiment(String name, String title, String titleRu, List<Variant> variants, RoundOptions rounds) {
            try {
                Trial trial = new Trial(name, title, titleRu, variants, workloads, settings(), metrics);
                return rounds.applied(trial.experiment());
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
            }
        }

        private Map<String, String> settings() {
            Map<String, String> settings = new LinkedHashMap<>();
            settings.put("rate", rate);
            settings.put("duration", duration);
            optional(settings, "connections", connections);
            optional(settings, "warmup", warmup);
            optional(settings, "prefill", prefill);
            optional(settings, "value-size", valueSize);
            return settings;
        }

        private static void optional(Map<String, String> settings, String key, @Nullable String value) {
            if (value != null) {
                settings.put(key, value);
            }
        }
    }
}
