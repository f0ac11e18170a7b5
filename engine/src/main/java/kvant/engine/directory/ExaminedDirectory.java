package kvant.engine.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// A data directory opened read-only, for tools. While this is open no node can start on the directory: the
/// lock is shared with other readers, and needs no write permission.
public final class ExaminedDirectory implements AutoCloseable {

    private final Path path;
    private final String engine;
    private final @Nullable FileChannel lock;

    private ExaminedDirectory(Path path, String engine, @Nullable FileChannel lock) {
        this.path = path;
        this.engine = engine;
        this.lock = lock;
    }

    /// @throws EngineException.CannotOpen when it is held by a process, missing, no data directory, of a newer
    ///     version, or not permitted
    /// @throws EngineException.Corruption when the identity file is damaged
    public static ExaminedDirectory open(Path path) {
        try {
            String engine = engineOf(path);
            return new ExaminedDirectory(path, engine, lock(path));
        } catch (IOException e) {
            throw OwnFiles.cannotOpen(path, e);
        }
    }

    /// Stable name of the engine that writes a directory, such as `lsm`, also while a process holds it.
    ///
    /// @throws EngineException as [#open], but for the lock
    public static String engine(Path path) {
        try {
            return engineOf(path);
        } catch (IOException e) {
            throw OwnFiles.cannotOpen(path, e);
        }
    }

    public Path path() {
        return path;
    }

    /// Stable name of the engine that writes it, such as `lsm`.
    public String engine() {
        return engine;
    }

    @Override
    public void close() {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new EngineException.Io("cannot release the lock of " + path, e);
        }
    }

    /// A copy may lack the file; then no process can hold it.
    private static @Nullable FileChannel lock(Path path) throws IOException {
        if (DataDirectory.isHeldHere(path)) {
            throw held(path, " (this very process)"); // closing the file again would release that lock
        }
        FileChannel channel;
        try {
            channel = OwnFiles.openToRead(path.resolve(DataDirectory.LOCK));
        } catch (NoSuchFileException _) {
            return null;
        }
        boolean locked = false;
        try {
            locked = DataDirectory.tryLock(channel, true);
            if (!locked) {
                throw held(path, DataDirectory.owner(channel));
            }
            return channel;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    private static EngineException.CannotOpen held(Path path, String owner) {
        return new EngineException.CannotOpen(
                "data directory " + path + " is held by another process" + owner + ": stop that one first");
    }

    private static String engineOf(Path path) throws IOException {
        if (Files.notExists(path)) {
            throw new EngineException.CannotOpen("there is no data directory " + path);
        }
        if (!Files.isDirectory(path)) {
            throw new EngineException.CannotOpen(path + " is a file; a data directory is needed");
        }
        try {
            return Identity.engineOf(path, "");
        } catch (NoSuchFileException _) {
            throw new EngineException.CannotOpen(
                    path + " is not a Kvant data directory: it has no file " + Identity.NAME);
        }
    }
}
