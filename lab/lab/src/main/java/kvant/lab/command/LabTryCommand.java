package kvant.lab.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.command.LabCommand.ThisKvant;
import kvant.lab.command.RoundOptions.TrialOptions;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Variant;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.load.dialect.Dialect;
import kvant.load.http.Target;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant lab try`: compares any two servers under the same loads.
@Command(
        name = "try",
        description = "Compare any two servers: start each in turn, give it the same loads, and write a folder of"
                + " results with a report.",
        customSynopsis = "kvant lab try [OPTIONS] -- COMMAND... -- COMMAND...",
        sortOptions = false,
        footer = {
            "",
            "'$${port}' and '$${data}' in a command (or in --url) stand for a free port and an empty",
            "folder:",
            "",
            "  kvant lab try --workload get --ready /healthz -- ./old --port '$${port}' \\",
            "    -- ./new --port '$${port}'",
            "",
            "experiment.yaml in the folder of results can be changed and run again. Exit codes: 0",
            "all was measured; 1 something was not, the reason is printed; 2 wrong command line."
        })
final class LabTryCommand extends LabAction {

    private static final String SEPARATOR = "--";
    private static final String PORT = "${port}";
    private static final String USUAL_URL = "http://127.0.0.1:" + PORT;
    private static final List<String> USUAL_NAMES = List.of("a", "b");
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    @Parameters(arity = "0..*", hidden = true, paramLabel = "-- COMMAND... -- COMMAND...")
    private List<String> words = new ArrayList<>();

    @Option(names = "--names", paramLabel = "A,B", split = ",", description = "Names of the servers (default: a,b).")
    private List<String> names = USUAL_NAMES;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "URL of either server, without a path (default: http://127.0.0.1:$${port}).")
    private String url = USUAL_URL;

    @Option(
            names = "--ready",
            paramLabel = "PATH",
            description = "Path polled until it answers below 400 (default: /).")
    private String ready = "/";

    @Option(
            names = "--jvm",
            description = "Servers are JVMs (17 or newer): record flight events, a GC log and profiles.")
    private boolean jvm;

    @Option(
            names = "--entity-path",
            paramLabel = "PATH",
            description = "Path of a key, with {key} (default: that of Kvant).")
    private String entityPath = "";

    @Mixin
    private TrialOptions trial = new TrialOptions();

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    private final ThisKvant kvant;

    LabTryCommand(ThisKvant kvant) {
        this.kvant = kvant;
    }

    @Override
    public Integer call() {
        int between = words.indexOf(SEPARATOR);
        if (between <= 0 || between == words.size() - 1) {
            throw wrong("two commands are needed, each after '--': kvant lab try -- ./old -- ./new");
        }
        if (names.size() != 2 || names.get(0).equals(names.get(1))) {
            throw wrong("'--names' needs two names, not '" + String.join(",", names) + "'");
        }
        checkUrl();
        rounds.check();
        List<Variant> variants = List.of(
                variant(names.get(0), words.subList(0, between)),
                variant(names.get(1), words.subList(between + 1, words.size())));
        Experiment experiment = trial.experiment(
                "try", names.get(0) + " and " + names.get(1), names.get(0) + " и " + names.get(1), variants, rounds);
        List<String> command = toRepeat();
        command.add(SEPARATOR);
        command.addAll(words);
        return LabSession.begin(out(), err(), kvant, rounds).run(experiment, VariantRecord.typed(command));
    }

    private void checkUrl() {
        try {
            Target _ = Target.parse(url.replace(PORT, "1"));
        } catch (IllegalArgumentException e) {
            throw wrong("'--url': " + e.getMessage());
        }
        if (!ready.startsWith("/")) {
            throw wrong("'--ready' is a path such as /healthz, not '" + ready + "'");
        }
    }

    private Variant variant(String name, List<String> command) {
        if (url.contains(PORT) && command.stream().noneMatch(word -> word.contains(PORT))) {
            throw wrong("nothing tells '" + command.getFirst() + "' its port: put " + PORT
                    + " into its command, or a port into '--url'");
        }
        String folder = Path.of("").toAbsolutePath().toString();
        Dialect dialect = url.startsWith(Target.REDIS + ":") ? Dialect.RESP : Dialect.KVANT;
        Server.Peer peer = new Server.Peer(dialect, Map.of(), List.of());
        Server.External server = new Server.External(
                command, url, url + ready, Map.of(), jvm, List.of(), entityPath, "", folder, START_TIMEOUT, peer);
        return new Variant(name, name, "", 0, server);
    }
}
