package kvant.cli.serve;

import kvant.text.command.CommandGroup;
import picocli.CommandLine.Command;

/// `kvant token`: tokens for `kvant serve --tokens`.
@Command(
        name = "token",
        description = "Make tokens for a node that asks for them.",
        subcommands = NewTokenCommand.class,
        sortOptions = false)
public final class TokenCommand extends CommandGroup {}
