package kvant.server.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import kvant.engine.directory.FileAccess;

/// Reads files with permissions or secrets: of a bounded length, and only where no other user may change them.
public final class GuardedFile {

    private static final int MAX_BYTES = 1 << 20;

    private GuardedFile() {}

    /// @param what description of the file for messages, such as `token file`
    public static byte[] read(String what, Path file) throws InvalidFileException {
        String named = what + " " + file;
        try {
            if (!Files.exists(file)) {
                throw new InvalidFileException("there is no " + named);
            }
            if (!Files.isRegularFile(file)) {
                throw new InvalidFileException(named + " is no plain file");
            }
            String obstacle = FileAccess.obstacle(file);
            if (obstacle != null) {
                throw new InvalidFileException(named + " " + obstacle);
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new InvalidFileException(named + " is longer than 1 MiB");
                }
                return bytes;
            }
        } catch (NoSuchFileException e) {
            throw new InvalidFileException("there is no " + named, e);
        } catch (AccessDeniedException e) {
            throw new InvalidFileException("no permission to read " + named, e);
        } catch (IOException e) {
            throw new InvalidFileException("cannot read " + named + ": " + e.getMessage(), e);
        }
    }
}
