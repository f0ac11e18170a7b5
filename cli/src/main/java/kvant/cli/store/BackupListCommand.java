package kvant.cli.store;

import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.text.ExitCode;
import kvant.text.Json;
import kvant.text.TextTable;
import kvant.text.Units;
import kvant.text.command.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant backup list`: the backups of a place, the oldest first.
@Command(
        name = "list",
        description = "List backups, the oldest first.",
        sortOptions = false,
        footer = {
            "",
            "The size is that of the store that a restore makes; files that several backups",
            "have are there once.",
            "Exit codes: 0 done, 1 a list cannot be read, or not done (the reason is on",
            "stderr), 2 wrong command line."
        })
final class BackupListCommand extends PlaceCommand {

    @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
    private Output format = Output.TEXT;

    @Override
    public Integer call() {
        Catalog catalog = place().use(false, Catalog::read);
        if (format == Output.JSON) {
            json(catalog);
        } else if (!catalog.backups().isEmpty()) {
            table(catalog);
        } else if (catalog.damaged().isEmpty()) {
            err().println("kvant: no backups in " + place().target());
        }
        catalog.damaged().values().forEach(damage -> err().println("kvant: " + damage));
        return catalog.damaged().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void table(Catalog catalog) {
        TextTable table = new TextTable("backup", "engine", ">files", ">size");
        for (Backup backup : catalog.backups()) {
            table.add(backup.id(), backup.engine(), Units.count(backup.files().size()), Units.bytes(backup.bytes()));
        }
        table.lines().forEach(out()::println);
    }

    private void json(Catalog catalog) {
        Json json = new Json().open().openList("backups");
        for (Backup backup : catalog.backups()) {
            json.open()
                    .put("id", backup.id())
                    .put("engine", backup.engine())
                    .put("files", backup.files().size())
                    .put("bytes", backup.bytes())
                    .close();
        }
        json.closeList().openList("damaged");
        catalog.damaged().keySet().forEach(json::add);
        out().print(json.closeList().close());
        out().flush();
    }
}
