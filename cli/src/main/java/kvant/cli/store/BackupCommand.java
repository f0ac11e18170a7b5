package kvant.cli.store;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant backup`: backups in a place of their own.
@Command(
        name = "backup",
        description = "Make backups, list, verify and delete them.",
        subcommands = {
            BackupCreateCommand.class,
            BackupListCommand.class,
            BackupVerifyCommand.class,
            BackupDeleteCommand.class
        },
        sortOptions = false,
        footer = {"", "'kvant restore' makes a data directory of a backup."})
public final class BackupCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is needed: create, list, verify or delete");
    }
}
