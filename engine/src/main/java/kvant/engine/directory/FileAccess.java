package kvant.engine.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A check that only this user and root may change a file, for files with permissions or keys. Links are followed:
/// the check is of the file that is read, and of its directory.
public final class FileAccess {

    private static final String MODE = "unix:mode";
    private static final int STICKY = 01000;

    private FileAccess() {}

    /// @return the problem and its remedy, to follow the name of the file in a message, or null
    public static @Nullable String obstacle(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return null; // no owners and no modes here
        }
        Path real = file.toRealPath();
        long user = Access.user(real);
        Path directory = Objects.requireNonNull(real.getParent(), "a file lies in a directory");
        String obstacle = obstacle("", Access.ownerOf(real), user, Files.getPosixFilePermissions(real));
        if (obstacle != null || isSticky(directory)) {
            return obstacle; // in a sticky directory only the owner of a file may put another in its place
        }
        return obstacle(
                "is in a directory that ", Access.ownerOf(directory), user, Files.getPosixFilePermissions(directory));
    }

    private static boolean isSticky(Path directory) throws IOException {
        return ((int) Objects.requireNonNull(Files.getAttribute(directory, MODE)) & STICKY) != 0;
    }

    /// @param where start of the message
    static @Nullable String obstacle(String where, long owner, long user, Set<PosixFilePermission> permissions) {
        if (owner != user && owner != Access.ROOT) {
            return where + "belongs to another user (" + owner + ", this is " + user + "), who may change it: chown it";
        }
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return where + "may be written by other users (" + PosixFilePermissions.toString(permissions)
                    + "): chmod go-w it";
        }
        return null;
    }
}
