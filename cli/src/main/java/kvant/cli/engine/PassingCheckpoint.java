package kvant.cli.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Set;
import kvant.backup.DirectoryStore;
import kvant.backup.FileTree;
import kvant.engine.directory.CheckpointTarget;
import kvant.engine.directory.LastBackup;
import kvant.text.UserException;

/// A temporary checkpoint in the data directory for the duration of a backup: tables are linked, not copied. Only one
/// backup of a store runs at a time, and deletes the remains of a killed one. Belongs to one thread.
///
/// @param path does not exist yet
public record PassingCheckpoint(Path path, FileChannel lock) implements AutoCloseable {

    private static final String LOCK = "LOCK";

    public static PassingCheckpoint in(Path data) throws IOException {
        Path folder = data.toAbsolutePath().normalize().resolve(CheckpointTarget.PASSING);
        try {
            Files.createDirectory(folder, DirectoryStore.OWNER_DIRECTORY);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new UserException(folder + " is no directory, and Kvant follows no link: delete it", e);
            }
        }
        FileChannel channel = FileChannel.open(
                folder.resolve(LOCK),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        try {
            if (channel.tryLock() == null) {
                throw new UserException("another backup of " + data + " is under way: wait for its end");
            }
            empty(folder);
            return new PassingCheckpoint(folder.resolve("checkpoint"), channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Notes next to it that a backup contains every write acknowledged before a time.
    public void noteBackup(Instant time) throws IOException {
        LastBackup.note(path.resolveSibling(""), time);
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            Path folder = path.getParent();
            if (folder != null) {
                empty(folder);
            }
        }
    }

    private static void empty(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
            for (Path each : left) {
                if (!each.endsWith(LOCK) && !each.endsWith(LastBackup.NAME)) {
                    FileTree.delete(each);
                }
            }
        }
    }
}
