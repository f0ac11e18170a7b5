package kvant.engine.directory;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
            throw explained(e, path);
        }
    }

    /// Stable name of the engine that writes a directory, such as `lsm`, also while a process holds it.
    ///
    /// @throws EngineException as [#open], but for the lock
    public static String engine(Path path) {
        try {
            return engineOf(path);
        } catch (IOException e) {
            throw explained(e, path);
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
            channel = FileChannel.open(path.resolve(DataDirectory.LOCK), StandardOpenOption.READ);
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
        Path file = path.resolve(DataDirectory.IDENTITY);
        String identity;
        try {
            identity = Files.readString(file);
        } catch (NoSuchFileException _) {
            throw new EngineException.CannotOpen(
                    path + " is not a Kvant data directory: it has no file " + DataDirectory.IDENTITY);
        } catch (CharacterCodingException _) {
            throw damaged(file);
        }
        if (!identity.startsWith(DataDirectory.FIRST_LINE)) {
            throw damaged(file);
        }
        DataDirectory.refuseOtherLayout(path, DataDirectory.field(identity, "layout"));
        String engine = DataDirectory.field(identity, "engine");
        if (!identity.equals(DataDirectory.identity(engine)) || !engine.matches("lsm|rocksdb")) {
            throw damaged(file);
        }
        return engine;
    }

    private static EngineException.Corruption damaged(Path file) {
        return new EngineException.Corruption(file.toString(), 0, "it is not what Kvant writes");
    }

    private static EngineException.CannotOpen explained(IOException e, Path path) {
        return e instanceof AccessDeniedException denied
                ? new EngineException.CannotOpen(
                        "no permission for " + denied.getFile() + ": run this as the user that owns the directory", e)
                : new EngineException.CannotOpen(
                        "cannot open data directory " + path + ": " + DataDirectory.reason(e), e);
    }
}
