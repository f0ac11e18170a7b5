package kvant.cli.serve;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant token`: tokens for `kvant serve --tokens`.
@Command(
        name = "token",
        description = "Make tokens for a node that asks for them.",
        subcommands = NewTokenCommand.class,
        sortOptions = false)
public final class TokenCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed: 'new'");
    }
}
