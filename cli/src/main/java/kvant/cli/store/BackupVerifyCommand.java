package kvant.cli.store;

import java.util.ArrayList;
import java.util.List;
import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.backup.Verification;
import kvant.text.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant backup verify`: whether every byte of backups is what was backed up.
@Command(
        name = "verify",
        description = "Read backups through and compare their checksums.",
        sortOptions = false,
        footer = {
            "",
            "One line for each file that is damaged or missing, with the backups that need",
            "it. Changes nothing.",
            "Exit codes: 0 sound, 1 damaged or not looked at (the reason is on stderr), 2",
            "wrong command line."
        })
final class BackupVerifyCommand extends PlaceCommand {

    @Option(names = "--backup", paramLabel = "ID", description = "This one, or 'latest' (default: all).")
    private @Nullable String id;

    @Override
    public Integer call() {
        return place().use(false, store -> {
            Catalog catalog = Catalog.read(store);
            List<String> damaged = new ArrayList<>();
            List<Backup> backups = catalog.backups();
            if (id != null) {
                backups = List.of(catalog.find(id, store));
            } else {
                damaged.addAll(catalog.damaged().values());
            }
            damaged.forEach(out()::println);
            int problems = damaged.size() + new Verification(store, out()::println).verify(backups);
            String looked = backups.size() == 1 ? "1 backup" : backups.size() + " backups";
            out().println(
                            problems == 0
                                    ? "sound: " + looked
                                    : "damaged, " + problems + (problems == 1 ? " problem" : " problems"));
            return problems == 0 ? ExitCode.DONE : ExitCode.FAILED;
        });
    }
}
