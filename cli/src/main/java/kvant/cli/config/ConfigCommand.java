package kvant.cli.config;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import kvant.text.command.CommandGroup;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `kvant config`: the settings of a node.
@Command(name = "config", description = "Show, check or describe the settings of a node.")
public final class ConfigCommand extends CommandGroup {

    /// With its subcommands.
    ///
    /// @param serve makes the command whose options are the settings
    /// @param obstacle why that command refuses these options, or empty
    public static CommandLine commandLine(
            Map<String, String> environment, Supplier<CommandLine> serve, Function<List<String>, String> obstacle) {
        return new CommandLine(new ConfigCommand())
                .addSubcommand(new CommandLine(new PrintCommand(environment, serve, obstacle))
                        .setUnmatchedOptionsArePositionalParams(true))
                .addSubcommand(new CheckCommand(environment, serve, obstacle))
                .addSubcommand(new ReferenceCommand(serve));
    }
}
