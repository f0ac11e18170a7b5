package kvant.lab.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Operations on folders created by the laboratory.
public final class Folders {

    private Folders() {}

    /// Deletes a folder with its contents. Links are deleted, not followed. A missing folder is no error.
    public static void delete(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE; // an ending process may delete too
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /// As [#delete], with an error that callers need not handle.
    ///
    /// @throws UserException when it cannot be deleted
    public static void discard(Path folder) {
        try {
            delete(folder);
        } catch (IOException e) {
            throw new UserException("cannot delete " + folder + ": " + FileTrouble.writing(e), e);
        }
    }

    /// Replaces a folder by another one.
    ///
    /// @throws UserException when that fails
    public static void replace(Path folder, Path by) {
        discard(folder);
        try {
            Files.move(by, folder);
        } catch (IOException e) {
            throw new UserException("cannot rename " + by + ": " + FileTrouble.writing(e), e);
        }
    }

    /// Replaces a file atomically: readers see the old or the complete new contents, never a part.
    ///
    /// @throws UserException when it cannot be written
    public static void write(Path file, String text) {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(aside, text, StandardCharsets.UTF_8);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + FileTrouble.writing(e), e);
        }
    }

    /// @throws UserException when it cannot be created
    public static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserException("cannot create " + folder + ": " + FileTrouble.writing(e), e);
        }
    }

    /// A file with at most one holder at a time, by a lock of the operating system, which is released when the
    /// process ends in any way.
    public static final class HeldFile implements AutoCloseable {

        private final Path file;
        private final FileChannel channel;

        private HeldFile(Path file, FileChannel channel) {
            this.file = file;
            this.channel = channel;
        }

        /// Creates the file if it is missing.
        ///
        /// @return empty if it is held already, by this process or another one
        public static Optional<HeldFile> tryHold(Path file) throws IOException {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean held = false;
            try {
                @Nullable FileLock lock = channel.tryLock();
                held = lock != null;
            } catch (OverlappingFileLockException _) {
                // held by this process
            } finally {
                if (!held) {
                    channel.close();
                }
            }
            return held ? Optional.of(new HeldFile(file, channel)) : Optional.empty();
        }

        /// Releases the file.
        ///
        /// @throws UserException when that fails
        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UserException("cannot close " + file + ": " + FileTrouble.writing(e), e);
            }
        }
    }
}
