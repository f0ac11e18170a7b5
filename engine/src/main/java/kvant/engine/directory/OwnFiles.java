package kvant.engine.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import kvant.engine.EngineException;

/// The small files that Kvant keeps in a data directory besides those of an engine. They belong to their owner alone.
/// Symbolic links are not followed: the target of a link with such a name is neither read, truncated nor replaced.
public final class OwnFiles {

    /// The bound on such files; a longer one is not Kvant's.
    private static final int MAX_BYTES = 64 << 10;

    private static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private OwnFiles() {}

    /// The text of a file.
    ///
    /// @throws NoSuchFileException where there is none
    /// @throws CharacterCodingException when it is no text, or too long
    /// @throws EngineException.CannotOpen when it is a link or no plain file
    public static String read(Path file) throws IOException {
        try (FileChannel channel = openToRead(file)) {
            if (channel.size() > MAX_BYTES) {
                throw new CharacterCodingException();
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // to the end
            }
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        }
    }

    /// Puts a file of this text in the place of the one of this name, as a whole. Durable when this returns.
    public static void replace(Path file, String text) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(aside); // of a crash; a link goes, and not what it leads to
        try (FileChannel channel = FileChannel.open(
                aside,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                OWNER_FILE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            syncDirectory(directory);
        }
    }

    static FileChannel openToRead(Path file) throws IOException {
        refuseOtherThanFile(file);
        return FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /// Opens a file for reading and writing, and creates it where it is missing.
    static FileChannel openOrCreate(Path file) throws IOException {
        refuseOtherThanFile(file);
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                OWNER_FILE);
    }

    /// Makes the names in a directory durable.
    public static void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// Opening a pipe would block, and the target of a link is not ours. If a link is put there after this check,
    /// opening fails, because it does not follow links.
    private static void refuseOtherThanFile(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            String what = Files.isSymbolicLink(file) ? "a symbolic link, which Kvant does not follow" : "no plain file";
            throw new EngineException.CannotOpen(
                    file + " is " + what + ": delete it, or choose another data directory");
        }
    }

    /// Describes the failure of a file, with a remedy.
    public static EngineException.CannotOpen cannotOpen(Path directory, IOException e) {
        return e instanceof AccessDeniedException denied
                ? new EngineException.CannotOpen(
                        "no permission for " + denied.getFile() + ": run this as the user that owns " + directory
                                + ", or give this user read, write and search permission there",
                        e)
                : new EngineException.CannotOpen("cannot open data directory " + directory + ": " + reason(e), e);
    }

    /// The JDK's messages about files often hold no more than a name.
    public static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case FileSystemException file
            when file.getReason() == null -> file.getClass().getSimpleName() + " " + file.getFile();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
