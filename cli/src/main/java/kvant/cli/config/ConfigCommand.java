package kvant.cli.config;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant config`: the settings of a node.
@Command(name = "config", description = "Show, check or describe the settings of a node.")
public final class ConfigCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

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

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say 'config print', 'config check' or 'config reference'");
    }
}
