package kvant.backup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import kvant.text.UserException;

/// Backups in a directory: each object is a file. A file is written under `unfinished`, synced and renamed, and the
/// directory is synced. After a crash the file is therefore complete or absent.
public final class DirectoryStore implements ObjectStore {

    private static final String UNFINISHED = "unfinished";

    /// Permissions of a directory that only its owner can access.
    public static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path root;

    private DirectoryStore(Path root) {
        this.root = root;
    }

    /// @param create whether to create a missing directory; its parent must exist
    /// @throws UserException when the directory cannot be used
    public static DirectoryStore open(Path root, boolean create) throws IOException {
        if (!Files.isDirectory(root)) {
            if (Files.exists(root) || !create) {
                throw new UserException("there is no directory " + root + " with backups");
            }
            try {
                Files.createDirectory(root, OWNER_DIRECTORY);
            } catch (NoSuchFileException _) {
                throw new UserException("there is no directory to put " + root + " in: create that first");
            } catch (IOException e) {
                throw explained(e);
            }
            syncParent(root);
        }
        return new DirectoryStore(root);
    }

    @Override
    public void put(String name, Path content, String sha256) throws IOException {
        try (InputStream in = Files.newInputStream(content)) {
            write(name, in, sha256, content.toString(), DirectoryStore::move);
        } catch (IOException e) {
            throw explained(e);
        }
    }

    @Override
    public void put(String name, byte[] content) throws IOException {
        try {
            write(name, new ByteArrayInputStream(content), Hashes.of(content), name, DirectoryStore::move);
        } catch (IOException e) {
            throw explained(e);
        }
    }

    /// Gives a file its name.
    private interface Naming {
        void name(Path whole, Path target) throws IOException;
    }

    private static void move(Path whole, Path target) throws IOException {
        Files.move(whole, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private void write(String name, InputStream in, String sha256, String from, Naming naming) throws IOException {
        Path target = root.resolve(name);
        Path whole = root.resolve(UNFINISHED).resolve(UUID.randomUUID().toString());
        makeDirectory(target);
        makeDirectory(whole);
        try {
            if (!Hashes.copyToFile(in, whole).sha256().equals(sha256)) {
                throw new IOException(from + " changed while it was copied");
            }
            naming.name(whole, target);
        } finally {
            Files.deleteIfExists(whole);
        }
        syncParent(target);
    }

    /// With hard links the file has its full content as soon as it exists. A concurrent [#swap] may move it away, and
    /// restores the content it found.
    @Override
    public boolean create(String name, byte[] content) throws IOException {
        try {
            write(name, new ByteArrayInputStream(content), Hashes.of(content), name, DirectoryStore::link);
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException _) {
            return false; // no such file: the lock holder has removed unfinished files
        } catch (IOException e) {
            throw explained(e);
        }
    }

    private static void link(Path whole, Path target) throws IOException {
        try {
            Files.createLink(target, whole);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw e;
        } catch (UnsupportedOperationException | FileSystemException _) { // no hard links
            try (InputStream in = Files.newInputStream(whole)) {
                Hashes.copyToFile(in, target); // the file exists for a moment without its content
            }
        }
    }

    @Override
    public boolean replace(String name, byte[] expected, byte[] content) throws IOException {
        try (InputStream in = get(name)) {
            return Arrays.equals(in.readNBytes(expected.length + 1), expected) && swap(name, expected, content);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /// Moves the file to a unique name, which only one caller can do, and only then checks the content. A file that
    /// another process stored after the caller's read is restored.
    boolean swap(String name, byte[] expected, byte[] content) throws IOException {
        Path aside = root.resolve(name + "." + UUID.randomUUID());
        try {
            Files.move(root.resolve(name), aside, StandardCopyOption.ATOMIC_MOVE);
            byte[] found = Files.readAllBytes(aside);
            boolean isExpected = Arrays.equals(found, expected);
            boolean created = create(name, isExpected ? content : found);
            Files.delete(aside);
            return isExpected && created;
        } catch (NoSuchFileException _) {
            return false; // another process has just moved it away
        } catch (IOException e) {
            throw explained(e);
        }
    }

    @Override
    public InputStream get(String name) throws IOException {
        try {
            return Files.newInputStream(root.resolve(name));
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw explained(e);
        }
    }

    @Override
    public SortedMap<String, Long> list(String folder) throws IOException {
        SortedMap<String, Long> sizes = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(folder))) {
            for (Path file : files) {
                if (Files.isRegularFile(file)) {
                    sizes.put(String.valueOf(file.getFileName()), Files.size(file));
                }
            }
        } catch (NoSuchFileException _) {
            return sizes; // nothing was put there yet
        } catch (IOException e) {
            throw explained(e);
        }
        return sizes;
    }

    @Override
    public void delete(String name) throws IOException {
        try {
            if (Files.deleteIfExists(root.resolve(name))) {
                syncParent(root.resolve(name));
            }
        } catch (IOException e) {
            throw explained(e);
        }
    }

    @Override
    public void discardUnfinished() throws IOException {
        for (String name : list(UNFINISHED).keySet()) {
            delete(UNFINISHED + "/" + name);
        }
    }

    @Override
    public String describe(String name) {
        return root.resolve(name).toString();
    }

    @Override
    public void close() {
        // no resources to release
    }

    private static void makeDirectory(Path file) throws IOException {
        Path directory = file.getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            Files.createDirectory(directory, OWNER_DIRECTORY);
            syncParent(directory);
        }
    }

    private static void syncParent(Path file) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            try (FileChannel directory = FileChannel.open(parent)) {
                directory.force(true);
            }
        }
    }

    /// Messages of the JDK's file exceptions often contain only a file name.
    private static IOException explained(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> new IOException("no permission for " + denied.getFile(), e);
            case FileSystemException file
            when file.getReason() == null -> new IOException(file.getClass().getSimpleName() + " " + file.getFile(), e);
            default -> e;
        };
    }
}
