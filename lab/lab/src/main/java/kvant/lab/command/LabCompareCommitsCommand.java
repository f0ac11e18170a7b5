package kvant.lab.command;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.command.LabCommand.ThisKvant;
import kvant.lab.command.RoundOptions.TrialOptions;
import kvant.lab.commit.CommitTrees;
import kvant.lab.commit.CommitTrees.Commit;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Variant;
import kvant.lab.experiment.Variant.Server;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant lab compare-commits`: compares a node at two commits.
@Command(
        name = "compare-commits",
        description = "Compare the node of two commits: check each out next to the working tree, build it, and run both"
                + " in turn under the same loads.",
        customSynopsis = "kvant lab compare-commits A..B [OPTIONS] [-- OPTION...]",
        sortOptions = false,
        footer = {
            "",
            "Words after '--' are options of 'kvant serve', the same for both:",
            "",
            "  kvant lab compare-commits main..HEAD --workload put -- --durability none",
            "",
            "The trees stay in .build/commits, at most six of them. Exit codes: 0 all was",
            "measured; 1 something was not, the reason is printed; 2 wrong command line."
        })
final class LabCompareCommitsCommand extends LabAction {

    private static final String URL = "http://127.0.0.1:${port}";
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    @Parameters(index = "0", paramLabel = "A..B", description = "The commits; an empty A or B is HEAD.")
    private String range = "";

    @Parameters(index = "1..*", arity = "0..*", hidden = true, paramLabel = "OPTION")
    private List<String> serve = new ArrayList<>();

    @Option(names = "--tree", paramLabel = "DIR", description = "The working tree (default: the tree of this program).")
    private @Nullable Path tree;

    @Mixin
    private TrialOptions trial = new TrialOptions();

    @Mixin
    private RoundOptions rounds = new RoundOptions();

    private final ThisKvant kvant;

    LabCompareCommitsCommand(ThisKvant kvant) {
        this.kvant = kvant;
    }

    @Override
    public Integer call() {
        rounds.check();
        LabSession session = LabSession.begin(out(), err(), kvant, rounds);
        try (CommitTrees trees = CommitTrees.of(tree(), session.stop())) {
            return compare(trees, session);
        }
    }

    private int compare(CommitTrees trees, LabSession session) {
        List<Commit> commits = trees.ends(range);
        Commit a = commits.getFirst();
        Commit b = commits.getLast();
        boolean same = a.equals(b); // differences are then caused by the machine
        Experiment experiment = trial.experiment(
                "compare-commits",
                "Commits " + a.shortId() + " and " + b.shortId(),
                "Коммиты " + a.shortId() + " и " + b.shortId(),
                List.of(variant(a, trees, same ? "-1" : ""), variant(b, trees, same ? "-2" : "")),
                rounds);
        PrintWriter err = err();
        for (Commit commit : commits) {
            err.println("kvant: building " + commit.title());
            trees.build(commit);
        }
        List<String> command = toRepeat();
        command.add(3, a.shortId() + ".." + b.shortId()); // spelled out, because branches move
        if (!serve.isEmpty()) {
            command.add("--");
            command.addAll(serve);
        }
        return session.run(experiment, VariantRecord.typed(command));
    }

    private Path tree() {
        String own = System.getProperty("kvant.root", "");
        if (tree == null && own.isEmpty()) {
            throw new UserException("this program has no source tree: name one with '--tree'");
        }
        Path chosen = tree == null ? Path.of(own) : tree;
        if (!Files.exists(chosen.resolve(".git"))) {
            throw new UserException(chosen + " is no working tree of git");
        }
        return chosen;
    }

    private Variant variant(Commit commit, CommitTrees trees, String suffix) {
        Path folder = trees.folder(commit);
        List<String> command = new ArrayList<>(List.of(
                folder.resolve(CommitTrees.LAUNCHER).toString(), "serve", "--port", "${port}", "--data", "${data}"));
        command.addAll(serve);
        Server.External server = new Server.External(
                command,
                URL,
                URL + "/readyz",
                Map.of("KVANT_JAVA_OPTS", ""), // intended for the laboratory
                true,
                List.of(),
                "",
                "",
                folder.toString(),
                START_TIMEOUT,
                Server.Peer.LIKE_KVANT);
        return new Variant(commit.shortId() + suffix, commit.title() + suffix.replace('-', ' '), "", 0, server);
    }
}
