package kvant.bench.attack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.MarkedPart;
import kvant.bench.figures.Origin;
import kvant.lab.process.KvantProgram;
import kvant.lab.process.Programs;
import kvant.lab.process.Workbench;
import kvant.text.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `kvant prove attack NAME|all|list`.
@Command(
        name = "attack",
        mixinStandardHelpOptions = true,
        description = "Attack nodes of this machine, and see what a good client gets meanwhile.",
        footer = {"", "Exit codes: 0 all bounds hold, 1 one does not (or the command failed), 2 wrong command line."})
public final class AttackCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "NAME", arity = "1..*", description = "Of attacks; 'all', or 'list' to see them.")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "Some seconds and a fifth of the connections each: shows that it works.")
    private boolean quick;

    @Option(names = "--transport", description = "Of the nodes (default: ${DEFAULT-VALUE}).")
    private String transport = "auto";

    @Option(
            names = "--write",
            paramLabel = "DOC",
            description = "Put origin and table between the marks of this document.")
    private @Nullable Path document;

    @Option(names = "--mark", description = "Which marks of it (default: ${DEFAULT-VALUE}).")
    private String mark = "attacks";

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "Attack nodes of another source tree, which must be built: for figures before a change.")
    private @Nullable Path tree;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (names.equals(List.of("list"))) {
            list();
            return ExitCode.DONE;
        }
        List<Attack> chosen = chosen();
        Origin origin = Origin.of(spec, tree == null ? "" : "attacked: " + commitOf(tree));
        if (tree != null) {
            KvantProgram.useNodesOf(tree);
        }
        List<Outcome> outcomes = new ArrayList<>();
        OutcomeTable table = OutcomeTable.begin(System.out, origin);
        for (Attack attack : chosen) {
            Outcome outcome = attempt(attack);
            table.row(outcome);
            outcomes.add(outcome);
        }
        if (document != null) {
            MarkedPart.replace(document, mark, OutcomeTable.text(origin, outcomes));
        }
        boolean hold =
                outcomes.stream().allMatch(outcome -> Bounds.broken(outcome).isEmpty());
        return hold ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static void list() {
        MarkdownTable table =
                new MarkdownTable(System.out, "attack", "what it does", "what holds besides the bounds of all");
        for (Attack attack : Attacks.ALL) {
            table.row("`" + attack.name() + "`", attack.what(), attack.promise());
        }
    }

    private List<Attack> chosen() {
        if (names.equals(List.of("all"))) {
            return Attacks.ALL;
        }
        List<Attack> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(Attacks.ALL.stream()
                    .filter(attack -> attack.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(), "unknown attack '" + name + "': 'list' shows them")));
        }
        return chosen;
    }

    private static String commitOf(Path other) throws IOException {
        return "commit " + Programs.run("git", "-C", other.toString(), "rev-parse", "--short", "HEAD");
    }

    private Outcome attempt(Attack attack) throws IOException, InterruptedException {
        try (Workbench bench = Workbench.open()) {
            return AttackTrial.run(bench, attack, quick ? Effort.quick(transport) : Effort.full(transport));
        }
    }
}
