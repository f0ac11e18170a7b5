package kvant.cli.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.backup.Restore;
import kvant.cli.store.BackupCommand.PassingCheckpoint;
import kvant.text.Units;
import kvant.text.command.CliCommand;
import kvant.text.command.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `kvant restore`: makes a data directory of a backup.
@Command(
        name = "restore",
        description = "Make a data directory of a backup, and check it.",
        sortOptions = false,
        footer = {
            "",
            "Every file is compared with its checksum on the way, and the whole store is",
            "checked at the end, as 'kvant check' does. A backup with a damaged or missing",
            "file restores nothing. The directory is no store before all of it is there.",
            "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
        })
public final class RestoreCommand extends CliCommand {

    @Mixin
    private BackupCommand.Place place = new BackupCommand.Place();

    @Option(names = "--backup", paramLabel = "ID", description = "Which one (default: latest).")
    private String id = "latest";

    @Option(
            names = "--to",
            paramLabel = "DIR",
            required = true,
            description = "Data directory to make: empty, or not there yet.")
    private Path target = Path.of("");

    @Override
    public Integer call() {
        Backup backup = place.use(false, store -> {
            Backup found = Catalog.read(store).find(id, store);
            new Restore(store, target, err()::println).run(found);
            note(found);
            return found;
        });
        out().println("restored backup " + backup.id() + " to " + target + ": "
                + Units.count(backup.files().size()) + " files, " + Units.bytes(backup.bytes()));
        return CheckReport.check(target, Output.TEXT, out());
    }

    /// What the store holds is in that backup: its age counts until there is another one.
    private void note(Backup backup) {
        try (PassingCheckpoint folder = PassingCheckpoint.in(target)) {
            folder.noteBackup(backup.time());
        } catch (IOException | DateTimeException e) {
            err().println("kvant: the time of the backup cannot be noted in " + target + " (" + e.getMessage()
                    + "): a node will tell of none");
        }
    }
}
