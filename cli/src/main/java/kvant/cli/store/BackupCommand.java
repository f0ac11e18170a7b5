package kvant.cli.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import kvant.backup.Backup;
import kvant.backup.BackupWriter;
import kvant.backup.Catalog;
import kvant.backup.ObjectStore;
import kvant.backup.Retention;
import kvant.backup.TargetLock;
import kvant.cli.engine.PassingCheckpoint;
import kvant.cli.engine.TargetPlace;
import kvant.engine.directory.ExaminedDirectory;
import kvant.text.ExitCode;
import kvant.text.Json;
import kvant.text.TextTable;
import kvant.text.Units;
import kvant.text.command.CliCommand;
import kvant.text.command.CommandGroup;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant backup`: backups in a separate place.
@Command(
        name = "backup",
        description = "Make backups, list, verify and delete them.",
        subcommands = {
            BackupCommand.Create.class,
            BackupCommand.ListAll.class,
            BackupCommand.Verify.class,
            BackupCommand.Delete.class
        },
        sortOptions = false,
        footer = {"", "'kvant restore' makes a data directory from a backup."})
public final class BackupCommand extends CommandGroup {

    private static final String NONE_KEPT = "'--keep' is at least 1: it would delete all backups";

    /// The options for the place of backups, and the reporting of failures there.
    static final class Place {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Option(
                names = "--target",
                paramLabel = "PLACE",
                required = true,
                description = "Place of the backups: a directory, or s3://BUCKET/PREFIX.")
        private String target = "";

        @Option(names = "--endpoint", paramLabel = "URL", description = TargetPlace.ENDPOINT)
        private @Nullable URI endpoint;

        /// @param create whether a directory may be created
        <T> T use(boolean create, TargetPlace.Work<T> work) {
            if (target.isEmpty()) {
                throw new ParameterException(
                        command.commandLine(), "'--target' needs a value"); // not the working directory
            }
            return new TargetPlace(target, endpoint, create).use("backups", work);
        }
    }

    /// The lock option of commands that change backups.
    static final class Lock {

        @Option(names = "--take-lock", description = "Continue although another process seems to change the backups.")
        private boolean takeLock;

        TargetLock take(ObjectStore store) throws IOException {
            return TargetLock.take(store, takeLock);
        }
    }

    /// `kvant backup create`: backs up a store, also while a node serves it.
    @Command(
            name = "create",
            description = "Back up a store, served or not.",
            sortOptions = false,
            footer = {
                "",
                "The backup has every write acknowledged before the command. Files of earlier",
                "backups in PLACE are not copied again. A backup is complete or absent; an",
                "interrupted one can be repeated.",
                "Credentials for s3://... come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,",
                "or the file that AWS_SHARED_CREDENTIALS_FILE names.",
                "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
            })
    static final class Create extends StoreCommand {

        @Mixin
        private Place place = new Place();

        @Mixin
        private Lock lock = new Lock();

        @Option(
                names = "--keep",
                paramLabel = "N",
                description = "Afterwards delete all but the newest N (default: delete none).")
        private @Nullable Integer keep;

        @Override
        public Integer call() {
            if (keep != null && keep < 1) {
                throw wrong(NONE_KEPT);
            }
            String engine = ExaminedDirectory.engine(data());
            return place.use(true, store -> {
                try (TargetLock held = lock.take(store);
                        PassingCheckpoint checkpoint = PassingCheckpoint.in(data())) {
                    Path copy = checkpoint.path();
                    Instant begun = Instant.now(); // before the checkpoint, which may lack later writes
                    askOrOpen("checkpoint " + copy, maintenance -> maintenance.checkpoint(copy, this::progress));
                    Clock clock = Clock.fixed(begun, ZoneOffset.UTC);
                    BackupWriter.Result made = new BackupWriter(store, held, clock, this::progress).write(copy, engine);
                    tell(made);
                    note(checkpoint, begun);
                    if (keep != null) {
                        Retention.Result deleted = new Retention(store, held).keep(keep);
                        if (!deleted.backups().isEmpty()) {
                            out().println(line(deleted));
                        }
                    }
                    return ExitCode.DONE;
                }
            });
        }

        /// Records the time of the backup in the data directory. A complete backup succeeds even if that fails.
        private void note(PassingCheckpoint checkpoint, Instant begun) {
            try {
                checkpoint.noteBackup(begun);
            } catch (IOException e) {
                progress("kvant: the backup is complete, but its time cannot be noted in " + data() + " ("
                        + e.getMessage() + "): metrics keep the time of the backup before");
            }
        }

        private void tell(BackupWriter.Result made) {
            int files = made.backup().files().size();
            out().println("backup " + made.backup().id() + " of " + data() + " in " + place.target + ": "
                    + Units.count(files) + " files, "
                    + Units.bytes(made.backup().bytes()) + "; copied "
                    + Units.count(made.copiedFiles()) + " files, " + Units.bytes(made.copiedBytes()));
        }
    }

    /// `kvant backup list`: the backups of a place, oldest first.
    @Command(
            name = "list",
            description = "List backups, the oldest first.",
            sortOptions = false,
            footer = {
                "",
                "Sizes are those of the restored store; files shared by backups are stored once.",
                "Exit codes: 0 done, 1 a list is unreadable, or not done (the reason is on",
                "stderr), 2 wrong command line."
            })
    static final class ListAll extends CliCommand {

        @Mixin
        private Place place = new Place();

        @Option(names = "--format", paramLabel = "F", description = "text (the default) or json.")
        private Output format = Output.TEXT;

        @Override
        public Integer call() {
            Catalog catalog = place.use(false, Catalog::read);
            if (format == Output.JSON) {
                json(catalog);
            } else if (!catalog.backups().isEmpty()) {
                table(catalog);
            } else if (catalog.damaged().isEmpty()) {
                err().println("kvant: no backups in " + place.target);
            }
            catalog.damaged().values().forEach(damage -> err().println("kvant: " + damage));
            return catalog.damaged().isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
        }

        private void table(Catalog catalog) {
            TextTable table = new TextTable("backup", "engine", ">files", ">size");
            for (Backup backup : catalog.backups()) {
                table.add(
                        backup.id(), backup.engine(), Units.count(backup.files().size()), Units.bytes(backup.bytes()));
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

    /// `kvant backup verify`: checks every byte of backups against its checksums.
    @Command(
            name = "verify",
            description = "Verify the checksums of backups.",
            sortOptions = false,
            footer = {
                "",
                "Read-only. One line for each damaged or missing file, with its backups.",
                "Exit codes: 0 sound, 1 damaged or not checked (the reason is on stderr), 2",
                "wrong command line."
            })
    static final class Verify extends CliCommand {

        @Mixin
        private Place place = new Place();

        @Option(names = "--backup", paramLabel = "ID", description = "Id of a backup, or 'latest' (default: all).")
        private @Nullable String id;

        @Override
        public Integer call() {
            return place.use(false, store -> {
                Catalog catalog = Catalog.read(store);
                List<String> damaged =
                        id == null ? new ArrayList<>(catalog.damaged().values()) : List.of();
                List<Backup> backups = id == null ? catalog.backups() : List.of(catalog.find(id, store));
                damaged.forEach(out()::println);
                int problems = damaged.size() + Catalog.verify(store, backups, out()::println);
                String looked = backups.size() == 1 ? "1 backup" : backups.size() + " backups";
                out().println(problems == 0 ? "sound: " + looked : CheckReport.damaged(problems));
                return problems == 0 ? ExitCode.DONE : ExitCode.FAILED;
            });
        }
    }

    /// `kvant backup delete`: deletes backups, and files that no other backup needs.
    @Command(
            name = "delete",
            description = "Delete backups, and files that no other backup needs.",
            sortOptions = false,
            footer = {"", "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."})
    static final class Delete extends CliCommand {

        /// The selection of backups.
        static final class Which {

            @Option(names = "--backup", paramLabel = "ID", required = true, description = "Id of the backup.")
            private @Nullable String id;

            @Option(names = "--keep", paramLabel = "N", required = true, description = "Delete all but the newest N.")
            private int keep = 1;
        }

        @Mixin
        private Place place = new Place();

        @Mixin
        private Lock lock = new Lock();

        @ArgGroup(multiplicity = "1")
        private Which which = new Which();

        @Override
        public Integer call() {
            String id = which.id;
            if (id == null && which.keep < 1) {
                throw wrong(NONE_KEPT);
            }
            Retention.Result deleted = place.use(false, store -> {
                try (TargetLock held = lock.take(store)) {
                    Retention retention = new Retention(store, held);
                    return id == null ? retention.keep(which.keep) : retention.delete(id);
                }
            });
            out().println(line(deleted));
            return ExitCode.DONE;
        }
    }

    private static String line(Retention.Result deleted) {
        String which = deleted.backups().isEmpty() ? "no backup" : String.join(", ", deleted.backups());
        return "deleted " + which + ", and " + Units.count(deleted.files()) + " files with "
                + Units.bytes(deleted.bytes());
    }
}
