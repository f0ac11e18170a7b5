package kvant.cli.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.Function;
import kvant.archive.ArchiveIndex;
import kvant.archive.ArchiveRestore;
import kvant.archive.ArchiveRestore.RestorePoint;
import kvant.backup.Backup;
import kvant.backup.Catalog;
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

/// `kvant restore`: makes a data directory from a backup or an archive.
@Command(
        name = "restore",
        description = "Make a data directory from a backup or an archive, and check it.",
        sortOptions = false,
        footer = {
            "",
            "Each file is verified by its checksum, and the whole store as by 'kvant check'.",
            "A backup with a damaged or missing file restores nothing. An interrupted restore",
            "leaves no store. TIME is UTC, such as '2026-11-27 10:15:00', or ends with an",
            "offset: +03:00.",
            "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
        })
public final class RestoreCommand extends CliCommand {

    /// A state of an archive.
    static final class Point {

        @Option(names = "--at", paramLabel = "TIME", required = true, description = "Archive: the state at this time.")
        private @Nullable String time;

        @Option(
                names = "--version",
                paramLabel = "N",
                required = true,
                description = "Archive: the state at this version.")
        private @Nullable Long version;

        @Option(names = "--latest", required = true, description = "Archive: the newest state (the default).")
        private boolean latest;
    }

    @Option(
            names = {"--from", "--target"},
            paramLabel = "PLACE",
            required = true,
            description = "Place of the backups or the archive: a directory, or s3://BUCKET/PREFIX.")
    private String from = "";

    @Option(names = "--endpoint", paramLabel = "URL", description = TargetPlace.ENDPOINT)
    private @Nullable URI endpoint;

    @Option(names = "--backup", paramLabel = "ID", description = "Id of the backup (default: latest).")
    private @Nullable String id;

    @ArgGroup
    private @Nullable Point point;

    @Option(
            names = "--epoch",
            paramLabel = "N",
            description = "Archive: the state of this epoch, as 'kvant archive list' shows them (default: the newest).")
    private @Nullable Integer epoch;

    @Option(
            names = {"--to", "--data"},
            paramLabel = "DIR",
            required = true,
            description = "Data directory to make: empty or missing.")
    private Path target = Path.of("");

    @Override
    public Integer call() {
        if (from.isEmpty()) {
            throw wrong("'--from' needs a value");
        }
        RestorePoint wanted = point();
        TargetPlace place = new TargetPlace(from, endpoint, false);
        boolean isArchive = place.use("backups or archive", ArchiveIndex::isArchive);
        if (isArchive && id != null) {
            throw wrong(from + " holds an archive: '--backup' is for backups");
        }
        if (!isArchive && (point != null || epoch != null)) {
            throw wrong(from + " holds no archive: '--at', '--version', '--latest' and '--epoch' are for archives");
        }
        if (isArchive) {
            archive(place, wanted);
        } else {
            backup(place);
        }
        return CheckReport.check(target, Output.TEXT, out());
    }

    private void backup(TargetPlace place) {
        Backup backup = place.use("backups", store -> {
            Backup found = Catalog.read(store).find(id == null ? "latest" : id, store);
            new Restore(store, target, err()::println).run(found);
            note(found.time());
            return found;
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

    /// Metrics show the age of this backup until the next one.
    private void note(Instant time) {
        try (PassingCheckpoint folder = PassingCheckpoint.in(target)) {
            folder.noteBackup(time);
        } catch (IOException | DateTimeException e) {
            err().println("kvant: cannot note the time of the backup in " + target + " (" + e.getMessage()
                    + "): metrics will show no backup");
        }
    }
}
