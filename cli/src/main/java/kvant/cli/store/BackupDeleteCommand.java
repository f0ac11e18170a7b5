package kvant.cli.store;

import java.util.List;
import kvant.backup.Retention;
import kvant.backup.TargetLock;
import kvant.text.ExitCode;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `kvant backup delete`: deletes backups, and the files that no other one needs.
@Command(
        name = "delete",
        description = "Delete backups, and the files that no other one needs.",
        sortOptions = false,
        footer = {"", "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."})
final class BackupDeleteCommand extends PlaceCommand {

    static final String NONE_KEPT = "'--keep' is at least 1: it would delete all backups";

    /// Which.
    static final class Which {

        @Option(names = "--backup", paramLabel = "ID", required = true, description = "This one.")
        private @Nullable String id;

        @Option(names = "--keep", paramLabel = "N", required = true, description = "All but the newest N.")
        private int keep = 1;
    }

    @Mixin
    private LockOption lock = new LockOption();

    @ArgGroup(multiplicity = "1")
    private Which which = new Which();

    @Override
    public Integer call() {
        String id = which.id;
        if (id == null && which.keep < 1) {
            throw wrong(NONE_KEPT);
        }
        Retention.Result deleted = place().use(false, store -> {
            try (TargetLock held = lock.take(store)) {
                Retention retention = new Retention(store, held);
                return id == null ? retention.keep(which.keep) : retention.delete(id);
            }
        });
        lines(deleted).forEach(out()::println);
        return ExitCode.DONE;
    }

    static List<String> lines(Retention.Result deleted) {
        String which = deleted.backups().isEmpty() ? "no backup" : String.join(", ", deleted.backups());
        return List.of("deleted " + which + ", and " + Units.count(deleted.files()) + " files with "
                + Units.bytes(deleted.bytes()));
    }
}
