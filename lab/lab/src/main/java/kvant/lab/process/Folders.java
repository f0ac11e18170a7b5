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

/// What the laboratory does to folders that it created itself.
public final class Folders {

    private Folders() {}

    /// Deletes a folder and all in it, and nothing that a link in it leads to. What is gone already
    /// is as wished.
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
                    return FileVisitResult.CONTINUE; // a process that ends deletes too
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

    /// As [#delete], for whoever has nothing else to do where that fails.
    ///
    /// @throws UserException where it cannot be deleted
    public static void discard(Path folder) {
        try {
            delete(folder);
        } catch (IOException e) {
            throw new UserException("cannot delete " + folder + ": " + FileTrouble.writing(e), e);
        }
    }

    /// Puts a folder in the place of another one.
    ///
    /// @throws UserException where that fails
    public static void replace(Path folder, Path by) {
        discard(folder);
        try {
            Files.move(by, folder);
        } catch (IOException e) {
            throw new UserException("cannot rename " + by + ": " + FileTrouble.writing(e), e);
        }
    }

    /// Whoever reads the file sees what was there before or all of the new, never a part.
    ///
    /// @throws UserException where it cannot be written
    public static void write(Path file, String text) {
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(aside, text, StandardCharsets.UTF_8);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserException("cannot write " + file + ": " + FileTrouble.writing(e), e);
        }
    }

    /// @throws UserException where it cannot be created
    public static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserException("cannot create " + folder + ": " + FileTrouble.writing(e), e);
        }
    }
}
