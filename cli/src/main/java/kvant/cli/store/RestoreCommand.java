package kvant.cli.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.Function;
import kvant.archive.ArchiveRestore;
import kvant.archive.ArchiveRestore.RestorePoint;
import kvant.backup.Backup;
import kvant.backup.Catalog;
import kvant.backup.ObjectStore;
import kvant.backup.Restore;
import kvant.cli.engine.EngineKind;
import kvant.cli.engine.LocalStore;
import kvant.cli.engine.PassingCheckpoint;
import kvant.cli.engine.TargetPlace;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.text.Units;
import kvant.text.command.CliCommand;
import kvant.text.command.Output;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `kvant restore`: makes a data directory of a backup or of an archive.
@Command(
        name = "restore",
        description = "Make a data directory of a backup or an archive, and check it.",
        sortOptions = false,
        footer = {
            "",
            "Every file is compared with its checksum on the way, and the whole store is",
            "checked at the end, as 'kvant check' does. A backup with a damaged or missing",
            "file restores nothing. The directory is no store before all of it is there.",
            "TIME is UTC, such as '2026-11-27 10:15:00', or has an offset behind it: +03:00.",
            "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
        })
public final class RestoreCommand extends CliCommand {

    /// What is restored.
    static final class Source {

        @Option(
                names = "--target",
                paramLabel = "PLACE",
                required = true,
                description = "Where the backups lie: a directory, or s3://BUCKET/PREFIX.")
        private @Nullable String backups;

        @Option(
                names = "--from",
                paramLabel = "TARGET",
                required = true,
                description = "An archive, as 'kvant serve --archive' names it.")
        private @Nullable String archive;
    }

    /// The state of an archive that is wanted.
    static final class Point {

        @Option(names = "--at", paramLabel = "TIME", required = true, description = "Of an archive: its state then.")
        private @Nullable String time;

        @Option(
                names = "--version",
                paramLabel = "N",
                required = true,
                description = "Of an archive: up to this version.")
        private @Nullable Long version;

        @Option(names = "--latest", required = true, description = "Of an archive: its newest state (the default).")
        private boolean latest;
    }

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(names = "--endpoint", paramLabel = "URL", description = TargetPlace.ENDPOINT)
    private @Nullable URI endpoint;

    @Option(names = "--backup", paramLabel = "ID", description = "Which backup (default: latest).")
    private @Nullable String id;

    @ArgGroup
    private @Nullable Point point;

    @Option(
            names = "--epoch",
            paramLabel = "N",
            description = "Of an archive: the state of the node that wrote this epoch (default: the newest).")
    private @Nullable Integer epoch;

    @Option(
            names = "--to",
            paramLabel = "DIR",
            required = true,
            description = "Data directory to make: empty, or not there yet.")
    private Path target = Path.of("");

    @Override
    public Integer call() {
        String archive = source.archive;
        if ("".equals(archive) || "".equals(source.backups)) {
            throw wrong(archive == null ? "'--target' names no place" : "'--from' names no archive");
        }
        if (archive == null && (point != null || epoch != null)) {
            throw wrong("'--at', '--version', '--latest' and '--epoch' need '--from'");
        }
        if (archive != null && id != null) {
            throw wrong("'--backup' needs '--target'");
        }
        if (archive == null) {
            backup(new TargetPlace(String.valueOf(source.backups), endpoint, false));
        } else {
            archive(new TargetPlace(archive, endpoint, false), point());
        }
        return CheckReport.check(target, Output.TEXT, out());
    }

    private void backup(TargetPlace place) {
        Backup backup = place.use("backups", _ -> {
            try (ObjectStore store = place.open("")) {
                Backup found = Catalog.read(store).find(id == null ? "latest" : id, store);
                new Restore(store, target, err()::println).run(found);
                note(found.time());
                return found;
            }
        });
        out().println("restored backup " + backup.id() + " to " + target + ": "
                + Units.count(backup.files().size()) + " files, " + Units.bytes(backup.bytes()));
    }

    private void archive(TargetPlace place, RestorePoint wanted) {
        Function<Path, LocalEngine> opener = data -> LocalStore.open(EngineKind.LSM, data, Durability.NONE);
        ArchiveRestore restore = new ArchiveRestore(place, target, opener, err()::println);
        ArchiveRestore.Restored restored = place.use("archive", _ -> restore.run(wanted, epoch == null ? 0 : epoch));
        Instant time = Instant.ofEpochMilli(restored.millis());
        note(time);
        out().println("restored version " + restored.version() + " of " + time + " to " + target + ": base "
                + restored.base().id() + ", " + Units.count(restored.objects()) + " objects, "
                + Units.bytes(restored.bytes()) + " of changes");
    }

    private RestorePoint point() {
        if (point == null || point.latest) {
            return new RestorePoint.Latest();
        }
        if (point.time != null) {
            return new RestorePoint.Time(millis(point.time));
        }
        if (point.version == null || point.version < 0) {
            throw wrong("'--version' is a number, 0 or more");
        }
        return new RestorePoint.Version(point.version);
    }

    /// A date and a time as ISO 8601 has them, where a space may stand for the T and no offset means UTC.
    private long millis(String text) {
        String iso = text.strip().replaceFirst(" ", "T").replace(" ", "");
        try {
            return OffsetDateTime.parse(iso.matches(".*(Z|[+-]\\d\\d:\\d\\d)") ? iso : iso + "Z")
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException _) {
            throw wrong("'--at' is a time such as '2026-11-27 10:15:00' (UTC) or '2026-11-27 10:15:00 +03:00', not '"
                    + text + "'");
        }
    }

    /// Notes the time of the backup: its age counts until there is another one.
    private void note(Instant time) {
        try (PassingCheckpoint folder = PassingCheckpoint.in(target)) {
            folder.noteBackup(time);
        } catch (IOException | DateTimeException e) {
            err().println("kvant: the time of the backup cannot be noted in " + target + " (" + e.getMessage()
                    + "): a node will tell of none");
        }
    }
}
