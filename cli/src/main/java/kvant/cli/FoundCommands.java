package kvant.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import kvant.text.command.CommandProvider;
import picocli.CommandLine;

/// Commands of other modules. Those on the class path are run; the others are listed, and the launcher builds them.
final class FoundCommands {

    /// Their names and descriptions, in the order of the help.
    static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("load", "Load an HTTP server and measure it, at a constant rate or as fast as it answers.");
        ALL.put("compare", "Compare two results of 'kvant load --json': percentile by percentile, with a verdict.");
        ALL.put(
                "profile",
                "Profile a running node, or any JVM of this machine: flame graphs of CPU time, allocation,"
                        + " waiting for locks, and time on the clock.");
        ALL.put("lab", "Run experiments: variants of a node under the same loads, in turn, with a report.");
        ALL.put("cluster", "Run a Cassandra cluster on this machine, for development and tests.");
    }

    private FoundCommands() {}

    static CommandLine addTo(CommandLine kvant, CommandProvider.Program program) {
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        ALL.forEach((name, description) -> commands.put(name, SourceTreeCommand.named(name, description)));
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            provider.commands(program).forEach(command -> commands.put(command.getCommandName(), command));
        }
        commands.forEach(kvant::addSubcommand);
        return kvant;
    }
}
