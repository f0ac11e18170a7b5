package kvant.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import kvant.text.command.CliCommand;
import kvant.text.command.CommandProvider;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// A command of another module, listed here only for the help. The launcher runs it, because it needs the source tree.
@Command
final class SourceTreeCommand extends CliCommand {

    @Override
    public Integer call() {
        String name = spec().name();
        throw wrong("'" + name + "' needs a source tree: run ./kvant " + name + " there");
    }

    /// Names and descriptions of commands that may be on the class path, in the order of the help.
    static final Map<String, String> FOUND = new LinkedHashMap<>();

    static {
        FOUND.put("load", "Load an HTTP server and measure it, at a constant rate or as fast as it answers.");
        FOUND.put("compare", "Compare two results of 'kvant load --json': percentile by percentile, with a verdict.");
        FOUND.put(
                "profile",
                "Profile a running node, or any JVM of this machine: flame graphs of CPU time, allocation,"
                        + " waiting for locks, and time on the clock.");
        FOUND.put("lab", "Run experiments: variants of a node under the same loads, in turn, with a report.");
        FOUND.put("cluster", "Run a Cassandra cluster on this machine, for development and tests.");
    }

    /// Adds commands on the class path as runnable ones. The others are only listed; the launcher builds them.
    static CommandLine addTo(CommandLine kvant, CommandProvider.Program program) {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        FOUND.forEach((name, description) -> commands.put(name, listed(name, description)));
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            provider.commands(program).forEach(command -> commands.put(command.getCommandName(), command));
        }
        commands.forEach(kvant::addSubcommand);
        return kvant.addSubcommand(listed(
                        "test",
                        "Run every check that CI runs.",
                        "",
                        "Takes half an hour on two cores. Arguments go to Maven: ./kvant test -pl engine",
                        "./kvant test --full runs the slow ones too: packages, every benchmark, faults of a cluster.",
                        "./kvant test -Dkvant.test.all=true tries more seeds, and takes longer.",
                        "./kvant test --mutants [FILTER...] plants deliberate faults: the tests must catch them."))
                .addSubcommand(listed(
                        "bench", "Compare with peers, as ratios.", "", "'./kvant bench --help' lists the benchmarks."))
                .addSubcommand(listed(
                        "prove",
                        "Put promises to the test at full length: kills, power cuts, faults, attacks.",
                        "",
                        "'./kvant prove --list' lists the trials, './kvant prove attack list' the attacks on a node."))
                .addSubcommand(listed(
                        "package",
                        "Make packages to install.",
                        "",
                        "An archive, a .deb, a container image and a Helm chart, in target/packages."));
    }

    private static CommandLine listed(String name, String description, String... footer) {
        CommandLine command = new CommandLine(new SourceTreeCommand());
        command.getCommandSpec()
                .name(name)
                .usageMessage()
                .description(description)
                .footer(footer);
        return command;
    }
}
