package kvant.engine.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// A directory that one process holds and one kind of engine writes.
///
/// `LOCK` is held through an advisory file lock for as long as this object is open; it holds the owner's
/// process id. `KVANT` says which engine wrote the directory and in which layout, so that another engine
/// refuses it instead of misreading it. Both are the only files here that do not belong to the engine.
public final class DataDirectory implements AutoCloseable {

    /// The mark of a directory that holds the logs of an LSM store and nothing else of it.
    public static final String FOR_LOGS = "lsm-logs";

    static final String LOCK = "LOCK";

    private static final String IDENTITY_NEW = Identity.NAME + ".new";

    private static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /// The directories that this process holds, by real path. The file lock alone is not enough: it belongs to
    /// the whole process, and closing any other descriptor of `LOCK`, as a refused second open would, releases
    /// it.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    // Constant.
    private final Path path;
    private final Path realPath;
    private final FileChannel lockChannel;
    private final Path lock;
    private final @Nullable Object lockKey;
    private final String called;

    private DataDirectory(Path path, Path realPath, String engine, FileChannel lockChannel) throws IOException {
        this.path = path;
        this.called = (engine.equals(FOR_LOGS) ? "the log directory " : "the data directory ") + path;
        this.realPath = realPath;
        this.lockChannel = lockChannel;
        this.lock = path.resolve(LOCK);
        this.lockKey = key(lock);
    }

    /// Creates the directory where it is missing, locks it, and checks or writes its identity.
    ///
    /// @param engine stable name of the engine, such as `lsm`
    /// @throws EngineException.CannotOpen when another process holds it, another engine wrote it, a newer version
    ///     wrote it, it holds files that are not Kvant's, other users own it or may write there, or permissions are
    ///     missing
    /// @throws EngineException.Corruption when the file that names its engine is damaged
    public static DataDirectory open(Path path, String engine) {
        try {
            createDirectories(path);
            return openExisting(path, engine);
        } catch (IOException e) {
            throw OwnFiles.cannotOpen(path, e);
        }
    }

    public Path path() {
        return path;
    }

    /// The reason why this is no longer the directory that was opened, or null while it is. The check is on `LOCK`,
    /// which is held open, so that no other file can get its number. One file-system call; any thread may call.
    public @Nullable String displaced() {
        try {
            return Objects.equals(key(lock), lockKey)
                    ? null
                    : "another directory is in the place of " + called + " that was opened";
        } catch (NoSuchFileException _) {
            return called + " was removed or renamed while it was in use (" + LOCK + " is gone)";
        } catch (IOException _) {
            return null; // not knowing is no reason to stop
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /// Releases the directory; closing twice is no error.
    @Override
    public void close() {
        if (!lockChannel.isOpen()) {
            return; // by now another object may hold the directory
        }
        try {
            lockChannel.close(); // releases the lock
        } catch (IOException e) {
            throw new EngineException.Io("cannot release " + path.resolve(LOCK), e);
        } finally {
            HELD.remove(realPath);
        }
    }

    private static DataDirectory openExisting(Path path, String engine) throws IOException {
        Path realPath = path.toRealPath();
        if (!HELD.add(realPath)) {
            throw new EngineException.CannotOpen("data directory " + path + " is held by this very process (process "
                    + ProcessHandle.current().pid() + "): close it there, or choose another directory");
        }
        boolean opened = false;
        try {
            DataDirectory directory = lock(path, realPath, engine);
            opened = true;
            return directory;
        } finally {
            if (!opened) {
                HELD.remove(realPath);
            }
        }
    }

    private static DataDirectory lock(Path path, Path realPath, String engine) throws IOException {
        refuseForeignFiles(path); // refuse first, so that a directory named by mistake keeps its mode
        FileAccess.refuseOthers(realPath);
        FileChannel channel = OwnFiles.openOrCreate(path.resolve(LOCK));
        boolean opened = false;
        try {
            if (!tryLock(channel, false)) {
                throw new EngineException.CannotOpen("data directory " + path + " is held by another process"
                        + owner(channel) + ": stop that one, or choose another directory");
            }
            channel.truncate(0);
            channel.write(ascii(Long.toString(ProcessHandle.current().pid())), 0);
            checkOrWriteIdentity(path, engine);
            opened = true;
            return new DataDirectory(path, realPath, engine, channel);
        } finally {
            if (!opened) {
                channel.close();
            }
        }
    }

    private static void createDirectories(Path path) throws IOException {
        if (Files.exists(path)) {
            if (!Files.isDirectory(path)) {
                throw new EngineException.CannotOpen(path + " is a file; a data directory is needed");
            }
            return;
        }
        if (Files.isSymbolicLink(path)) {
            throw new EngineException.CannotOpen(path + " is a symbolic link to what does not exist: delete it");
        }
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        Files.createDirectory(path, OWNER_DIRECTORY);
        if (parent != null) {
            OwnFiles.syncDirectory(parent);
        }
    }

    /// A directory with foreign files is a mistake on the command line, not a store.
    private static void refuseForeignFiles(Path path) throws IOException {
        if (Files.exists(path.resolve(Identity.NAME), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            List<Path> foreign = files.filter(file -> {
                        String name = String.valueOf(file.getFileName());
                        return !name.equals(LOCK) && !name.equals(IDENTITY_NEW) && !name.equals("lost+found");
                    })
                    .sorted()
                    .toList();
            if (!foreign.isEmpty()) {
                throw new EngineException.CannotOpen(
                        path + " is not a Kvant data directory: it has no file " + Identity.NAME + ", but holds "
                                + foreign.getFirst().getFileName() + "; choose another or an empty directory");
            }
        }
    }

    /// @param shared a shared lock, for readers
    static boolean tryLock(FileChannel channel, boolean shared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, shared) != null;
        } catch (OverlappingFileLockException _) {
            return false; // held by this process under a class loader of its own
        }
    }

    static String owner(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(20);
        channel.read(pid, 0);
        String text = StandardCharsets.US_ASCII.decode(pid.flip()).toString();
        return text.matches("[0-9]+") ? " (process " + text + ")" : "";
    }

    private static void checkOrWriteIdentity(Path path, String engine) throws IOException {
        String found;
        try {
            found = Identity.engineOf(path, engine);
        } catch (NoSuchFileException _) {
            Identity.write(path, engine);
            return;
        }
        if (engine.equals(FOR_LOGS) && !found.equals(FOR_LOGS)) {
            throw new EngineException.CannotOpen(path + " is the data directory of a store: choose another directory");
        }
        if (!found.equals(engine)) {
            throw new EngineException.CannotOpen("data directory " + path + " was written by engine '" + found
                    + "', not '" + engine + "': start with --engine " + found + " or choose another directory");
        }
    }

    /// Whether an object of this process holds the directory.
    static boolean isHeldHere(Path path) throws IOException {
        return HELD.contains(path.toRealPath());
    }

    /// Creates a directory for a copy of a store and its identity file. Durable, except for the directory's own name.
    ///
    /// @param from the data directory of which it will be a copy
    /// @throws IOException also when there is something of this name
    public static void create(Path path, String engine, Path from) throws IOException {
        Files.createDirectory(path, OWNER_DIRECTORY);
        Identity.write(path, engine);
        ExpiryFile.copy(from, path);
    }

    private static ByteBuffer ascii(String text) {
        return StandardCharsets.US_ASCII.encode(text);
    }
}
