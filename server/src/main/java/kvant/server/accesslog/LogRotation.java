package kvant.server.accesslog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// How long an access log may grow, and how many files it leaves behind: `access.log.1` is the newest of them.
/// So all of it together takes no more of the disk than the bound and as much for each file that is kept.
///
/// @param bytes after which a file is left for a new one, or [#NEVER]
/// @param keep how many of those that were left stay
public record LogRotation(long bytes, int keep) {

    public static final long NEVER = 0;
    public static final LogRotation DEFAULT = new LogRotation(256 << 20, 4);

    private static final long LEAST_BYTES = 1 << 20;
    private static final int MOST_KEPT = 1000;

    public LogRotation {
        if (bytes != NEVER && bytes < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "the access log is left for a new one after 1 MiB or more, or never (0), not after " + bytes
                            + " B");
        }
        if (keep < 1 || keep > MOST_KEPT) {
            throw new IllegalArgumentException("1 to " + MOST_KEPT + " files of the access log are kept, not " + keep);
        }
    }

    /// Whether a file may not have as many.
    boolean isBeyond(long fileBytes) {
        return bytes != NEVER && fileBytes > bytes;
    }

    /// Whether it is one to be moved: what a link leads to, such as a pipe or a console, is somebody else's.
    static boolean isMovable(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /// Moves a file away, and those before it by one up to the first number that is free, or over the oldest. So one
    /// that broke off and is tried again pushes nothing out. What has a higher number may be of another tool, and
    /// stays.
    void moveAway(Path file) throws IOException {
        int free = 1;
        while (free < keep && Files.exists(numbered(file, free), LinkOption.NOFOLLOW_LINKS)) {
            free++;
        }
        for (int i = free - 1; i >= 1; i--) {
            move(numbered(file, i), numbered(file, i + 1));
        }
        move(file, numbered(file, 1));
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE); // over what is there
    }

    private static Path numbered(Path file, int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }
}
