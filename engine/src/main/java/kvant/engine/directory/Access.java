package kvant.engine.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// A check that no other user may change a directory. Another user with write permission could replace the files of a
/// node with links and files of their own.
final class Access {

    static final long ROOT = 0;
    private static final String OWNER = "unix:uid";

    /// Belongs to the user of this process. Where it is missing (outside of Linux), only modes are checked.
    private static final Path OWN_PROCESS = Path.of("/proc/self");

    private Access() {}

    /// @throws EngineException.CannotOpen when another user owns the directory or may write in it
    static void refuseOthers(Path directory) throws IOException {
        if (!directory.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return; // no owners and no modes here
        }
        long owner = ownerOf(directory);
        long user = user(directory);
        String obstacle = obstacle(directory, owner, user, Files.getPosixFilePermissions(directory));
        if (obstacle != null) {
            throw new EngineException.CannotOpen(obstacle);
        }
    }

    /// The user of this process; where that is not known, the owner of the path.
    static long user(Path path) throws IOException {
        return ownerOf(Files.exists(OWN_PROCESS) ? OWN_PROCESS : path);
    }

    static long ownerOf(Path path) throws IOException {
        return Integer.toUnsignedLong((int) Objects.requireNonNull(Files.getAttribute(path, OWNER)));
    }

    /// @return the problem and its remedy, or null
    static @Nullable String obstacle(Path directory, long owner, long user, Set<PosixFilePermission> permissions) {
        if (owner != user && owner != ROOT) {
            return "data directory " + directory + " belongs to another user (" + owner + ", this is " + user
                    + "), who may change every file there: start as that user, or chown the directory";
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return "data directory " + directory + " may be written by other users ("
                    + PosixFilePermissions.toString(permissions) + "): chmod go-w it, or name a directory in it that"
                    + " does not exist yet";
        }
        return null;
    }
}
