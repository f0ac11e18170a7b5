package kvant.cli.store;

import kvant.text.command.CommandGroup;
import picocli.CommandLine.Command;

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
public final class BackupCommand extends CommandGroup {}
