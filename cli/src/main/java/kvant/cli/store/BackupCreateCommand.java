package kvant.cli.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import kvant.backup.BackupWriter;
import kvant.backup.Retention;
import kvant.backup.TargetLock;
import kvant.engine.directory.ExaminedDirectory;
import kvant.text.ExitCode;
import kvant.text.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `kvant backup create`: backs a store up, also while a node serves it.
@Command(
        name = "create",
        description = "Back a store up, while it is served or not.",
        sortOptions = false,
        footer = {
            "",
            "The backup holds everything that was acknowledged before the command. Files that",
            "an earlier backup in PLACE has are not copied again. It is there as a whole or",
            "not at all; one that was broken off can be repeated.",
            "Credentials for s3://... come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,",
            "or the file that AWS_SHARED_CREDENTIALS_FILE names.",
            "Exit codes: 0 done, 1 not done (the reason is on stderr), 2 wrong command line."
        })
final class BackupCreateCommand extends StoreCommand {

    @Mixin
    private BackupPlace place = new BackupPlace();

    @Mixin
    private LockOption lock = new LockOption();

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "When it is complete, delete all but the newest N (default: none).")
    private @Nullable Integer keep;

    @Override
    public Integer call() {
        if (keep != null && keep < 1) {
            throw wrong(BackupDeleteCommand.NONE_KEPT);
        }
        String engine = ExaminedDirectory.engine(data());
        return place.use(true, store -> {
            try (TargetLock held = lock.take(store);
                    PassingCheckpoint checkpoint = PassingCheckpoint.in(data())) {
                Path copy = checkpoint.path();
                Instant begun = Instant.now(); // before the checkpoint, which may lack what comes now
                if (!askNode("checkpoint " + copy, ENDLESS)) {
                    withStore(maintenance -> maintenance.checkpoint(copy, this::progress));
                }
                Clock clock = Clock.fixed(begun, ZoneOffset.UTC);
                BackupWriter.Result made = new BackupWriter(store, held, clock, this::progress).write(copy, engine);
                out().println(line(made));
                note(checkpoint, begun);
                if (keep != null) {
                    Retention.Result deleted = new Retention(store, held).keep(keep);
                    if (!deleted.backups().isEmpty()) {
                        BackupDeleteCommand.lines(deleted).forEach(out()::println);
                    }
                }
                return ExitCode.DONE;
            }
        });
    }

    /// A backup that is complete is no failure, whatever the node then says of its age.
    private void note(PassingCheckpoint checkpoint, Instant begun) {
        try {
            checkpoint.noteBackup(begun);
        } catch (IOException e) {
            progress("kvant: the backup is complete, but its time cannot be noted in " + data() + " (" + e.getMessage()
                    + "): the node goes on telling that of the one before");
        }
    }

    private String line(BackupWriter.Result made) {
        int files = made.backup().files().size();
        return "backup " + made.backup().id() + " of " + data() + " in " + place.target() + ": " + Units.count(files)
                + " files, " + Units.bytes(made.backup().bytes()) + "; copied " + Units.count(made.copiedFiles())
                + " files, " + Units.bytes(made.copiedBytes());
    }
}
