package kvant.engine.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import kvant.engine.EngineException;

/// A directory that one process holds and one kind of engine writes.
///
/// `LOCK` is held through an advisory file lock for as long as this object is open; it holds the owner's
/// process id. `KVANT` says which engine wrote the directory and in which layout, so that another engine
/// refuses it instead of misreading it. Both are the only files here that do not belong to the engine.
public final class DataDirectory implements AutoCloseable {

    static final String LOCK = "LOCK";
    static final String IDENTITY = "KVANT";
    static final String FIRST_LINE = "kvant data directory\n";
    private static final String IDENTITY_NEW = "KVANT.new";
    private static final int LAYOUT = 1;

    private static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /// The directories that this process holds, by real path. The file lock alone is not enough: it belongs to
    /// the whole process, and closing any other descriptor of `LOCK`, as a refused second open would, releases
    /// it.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    // Constant.
    private final Path path;
    private final Path realPath;
    private final FileChannel lockChannel;

    private DataDirectory(Path path, Path realPath, FileChannel lockChannel) {
        this.path = path;
        this.realPath = realPath;
        this.lockChannel = lockChannel;
    }

    /// Creates the directory where it is missing, locks it, and checks or writes its identity.
    ///
    /// @param engine stable name of the engine, such as `lsm`
    /// @throws EngineException.CannotOpen when another process holds it, another engine wrote it, a newer
    ///     version wrote it, it holds files that are not Kvant's, or permissions are missing
    public static DataDirectory open(Path path, String engine) {
        try {
            createDirectories(path);
            return openExisting(path, engine);
        } catch (AccessDeniedException e) {
            throw new EngineException.CannotOpen(
                    "no permission for " + e.getFile() + ": give this user read, write and search permission there", e);
        } catch (IOException e) {
            throw new EngineException.CannotOpen("cannot open data directory " + path + ": " + reason(e), e);
        }
    }

    public Path path() {
        return path;
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
        refuseForeignFiles(path);
        FileChannel channel = FileChannel.open(
                path.resolve(LOCK),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                OWNER_FILE);
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
            return new DataDirectory(path, realPath, channel);
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
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        Files.createDirectory(path, OWNER_DIRECTORY);
        if (parent != null) {
            syncDirectory(parent);
        }
    }

    /// A directory with foreign files is a mistake on the command line, not a store.
    private static void refuseForeignFiles(Path path) throws IOException {
        if (Files.exists(path.resolve(IDENTITY))) {
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
                throw new EngineException.CannotOpen(path + " is not a Kvant data directory: it has no file " + IDENTITY
                        + ", but holds " + foreign.getFirst().getFileName() + "; choose another or an empty directory");
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
        String expected = identity(engine);
        String found;
        try {
            found = Files.readString(path.resolve(IDENTITY));
        } catch (NoSuchFileException _) {
            writeIdentity(path, expected);
            return;
        }
        if (found.equals(expected)) {
            return;
        }
        String foundEngine = field(found, "engine");
        String foundLayout = field(found, "layout");
        refuseOtherLayout(path, foundLayout);
        throw new EngineException.CannotOpen("data directory " + path + " was written by engine '" + foundEngine
                + "', not '" + engine + "': start with --engine " + foundEngine + " or choose another directory");
    }

    static String identity(String engine) {
        return FIRST_LINE + "layout=" + LAYOUT + "\nengine=" + engine + "\n";
    }

    static void refuseOtherLayout(Path path, String layout) {
        if (!String.valueOf(LAYOUT).equals(layout)) {
            throw new EngineException.CannotOpen("data directory " + path + " has layout " + layout
                    + ", this version knows layout " + LAYOUT + ": use the version that wrote it");
        }
    }

    /// Whether an object of this process holds the directory.
    static boolean isHeldHere(Path path) throws IOException {
        return HELD.contains(path.toRealPath());
    }

    /// Creates a directory and its identity file. Durable, except for the directory's own name.
    ///
    /// @throws IOException also when there is something of this name
    public static void create(Path path, String engine) throws IOException {
        Files.createDirectory(path, OWNER_DIRECTORY);
        writeIdentity(path, identity(engine));
    }

    private static void writeIdentity(Path path, String content) throws IOException {
        Path temporary = path.resolve(IDENTITY_NEW);
        try (FileChannel channel = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                OWNER_FILE)) {
            ByteBuffer bytes = ascii(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temporary, path.resolve(IDENTITY), StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(path);
    }

    private static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static String field(String identity, String name) {
        return identity.lines()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("unknown");
    }

    /// The JDK's messages about files often hold no more than a name.
    static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no " + missing.getFile() + ", and it cannot be created";
            case FileSystemException file
            when file.getReason() == null -> file.getClass().getSimpleName() + " " + file.getFile();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }

    private static ByteBuffer ascii(String text) {
        return StandardCharsets.US_ASCII.encode(text);
    }
}
