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

/// Checks that only this user and root may change a file or a directory. Another user with write permission to a data
/// directory could replace the files of a node with links and files of their own.
public final class FileAccess {

    private static final long ROOT = 0;
    private static final String OWNER = "unix:uid";
    private static final String MODE = "unix:mode";
    private static final int STICKY = 01000;

    /// Belongs to the user of this process. Where it is missing (outside of Linux), only modes are checked.
    private static final Path OWN_PROCESS = Path.of("/proc/self");

    private FileAccess() {}

    /// @throws EngineException.CannotOpen when another user owns the data directory or may write in it
    static void refuseOthers(Path directory) throws IOException {
        if (!hasOwners(directory)) {
            return;
        }
        String obstacle =
                obstacle(directory, ownerOf(directory), user(directory), Files.getPosixFilePermissions(directory));
        if (obstacle != null) {
            throw new EngineException.CannotOpen(obstacle);
        }
    }

    /// The check of a file with permissions or keys. Links are followed: it is of the file that is read, and of its
    /// directory.
    ///
    /// @return the problem and its remedy, to follow the name of the file in a message, or null
    public static @Nullable String obstacle(Path file) throws IOException {
        if (!hasOwners(file)) {
            return null;
        }
        Path real = file.toRealPath();
        long user = user(real);
        Path directory = Objects.requireNonNull(real.getParent(), "a file lies in a directory");
        String obstacle = obstacle("", real, user);
        if (obstacle != null || isSticky(directory)) {
            return obstacle; // in a sticky directory only the owner of a file may put another in its place
        }
        return obstacle("is in a directory that ", directory, user);
    }

    private static @Nullable String obstacle(String where, Path path, long user) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        return obstacle(where, ownerOf(path), user, permissions, "it: chown it", "chmod go-w it");
    }

    private static boolean hasOwners(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static boolean isSticky(Path directory) throws IOException {
        return ((int) Objects.requireNonNull(Files.getAttribute(directory, MODE)) & STICKY) != 0;
    }

    /// The user of this process; where that is not known, the owner of the path.
    private static long user(Path path) throws IOException {
        return ownerOf(Files.exists(OWN_PROCESS) ? OWN_PROCESS : path);
    }

    private static long ownerOf(Path path) throws IOException {
        return Integer.toUnsignedLong((int) Objects.requireNonNull(Files.getAttribute(path, OWNER)));
    }

    /// @return the problem of a data directory and its remedy, or null
    static @Nullable String obstacle(Path directory, long owner, long user, Set<PosixFilePermission> permissions) {
        return obstacle(
                "data directory " + directory + " ",
                owner,
                user,
                permissions,
                "every file there: start as that user, or chown the directory",
                "chmod go-w it, or name a directory in it that does not exist yet");
    }

    private static @Nullable String obstacle(
            String where, long owner, long user, Set<PosixFilePermission> permissions, String theirs, String remedy) {
        if (owner != user && owner != ROOT) {
            return where + "belongs to another user (" + owner + ", this is " + user + "), who may change " + theirs;
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return where + "may be written by other users (" + PosixFilePermissions.toString(permissions) + "): "
                    + remedy;
        }
        return null;
    }
}
