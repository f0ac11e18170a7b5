package kvant.lab.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
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
}
