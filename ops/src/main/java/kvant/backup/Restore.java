package kvant.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import kvant.text.Units;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Restores a data directory from a backup and checks every byte against the backup's checksums.
///
/// The file that turns a directory into a data directory is written last, so that no node opens an incomplete store. A
/// failed restore deletes the files it created. Belongs to one thread.
public final class Restore {

    /// A file system has it in its root: it does not make a directory a used one.
    public static final String LOST_AND_FOUND = "lost+found";

    private static final long PROGRESS_NANOS = Duration.ofSeconds(1).toNanos();

    private final ObjectStore store;
    private final Path target;
    private final Consumer<String> progress;
    private final List<Path> made = new ArrayList<>();
    private long doneBytes;
    private long lastLineNanos = System.nanoTime();

    /// @param target is empty, or does not exist
    public Restore(ObjectStore store, Path target, Consumer<String> progress) {
        this.store = store;
        this.target = target.toAbsolutePath().normalize();
        this.progress = progress;
    }

    /// @throws UserException when the target is in use, or the backup is damaged
    public void run(Backup backup) throws IOException {
        try {
            prepare(backup);
            for (Backup.Stored file : backup.files()) {
                Path to = target.resolve(file.path());
                makeDirectories(to.getParent());
                copy(file, to);
                sayNowAndThen(backup.bytes());
                if (isBeforeLast(file, backup)) {
                    syncDirectories();
                }
            }
            syncDirectories();
        } catch (IOException | RuntimeException | Error e) {
            takeBack();
            throw e;
        }
    }

    private void prepare(Backup backup) throws IOException {
        refuseUsed(target);
        makeDirectories(target);
        long usable = Files.getFileStore(target).getUsableSpace();
        if (usable < backup.bytes()) {
            throw new UserException("the backup has " + Units.bytes(backup.bytes()) + ", and only "
                    + Units.bytes(usable) + " are free for " + target);
        }
    }

    /// @throws UserException where a target is neither empty nor missing
    public static void refuseUsed(Path target) throws IOException {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isDirectory(target)) {
            throw new UserException(target + " is a file: name a directory that is empty or does not exist");
        }
        try (Stream<Path> files = Files.list(target)) {
            if (files.anyMatch(file -> !file.endsWith(LOST_AND_FOUND))) {
                throw new UserException(target + " is not empty: name a directory that is empty or does not exist");
            }
        }
    }

    private void copy(Backup.Stored file, Path to) throws IOException {
        String name = BackupFormat.file(file.sha256());
        try (InputStream in = store.get(name)) {
            made.add(to);
            Hashes.Copied copied = Hashes.copyToFile(in, to);
            doneBytes += copied.bytes();
            if (!copied.sha256().equals(file.sha256())) {
                throw unusable(name, file, " is damaged: its checksum does not fit");
            }
        } catch (FileAlreadyExistsException e) {
            made.removeLast(); // existed before: not ours to delete
            throw e;
        } catch (NoSuchFileException _) {
            throw unusable(name, file, " is missing");
        }
    }

    private UserException unusable(String name, Backup.Stored file, String what) {
        return new UserException(store.describe(name) + " (" + file.path() + ")" + what
                + ": nothing was restored; 'kvant backup verify' tells which backups are whole");
    }

    private static boolean isBeforeLast(Backup.Stored file, Backup backup) {
        List<Backup.Stored> files = backup.files();
        return files.size() > 1 && files.get(files.size() - 2) == file;
    }

    private void makeDirectories(@Nullable Path directory) throws IOException {
        if (directory != null && !Files.isDirectory(directory)) {
            makeDirectories(directory.getParent());
            Files.createDirectory(directory, DirectoryStore.OWNER_DIRECTORY);
            made.add(directory);
        }
    }

    /// Syncs the directories that received files.
    private void syncDirectories() throws IOException {
        Set<Path> directories = new HashSet<>();
        for (Path each : made) {
            directories.add(each.getParent());
        }
        for (Path each : directories) {
            try (FileChannel directory = FileChannel.open(each)) {
                directory.force(true);
            }
        }
    }

    private void takeBack() {
        for (Path each : made.reversed()) {
            try {
                Files.deleteIfExists(each);
            } catch (IOException _) {
                // The original failure is the one to report. Without its last file the directory is no store.
            }
        }
    }

    private void sayNowAndThen(long allBytes) {
        if (System.nanoTime() - lastLineNanos > PROGRESS_NANOS) {
            lastLineNanos = System.nanoTime();
            progress.accept("restored " + Units.bytes(doneBytes) + " of " + Units.bytes(allBytes));
        }
    }
}
