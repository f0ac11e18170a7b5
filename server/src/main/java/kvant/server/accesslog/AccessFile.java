package kvant.server.accesslog;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import kvant.server.accesslog.AccessLog.LogRotation;
import kvant.text.FileTrouble;
import org.jspecify.annotations.Nullable;

/// The file of the access log. A full file is rotated ([LogRotation]). When another program has moved or removed the
/// file, a new one is begun in its place, so that tools for log rotation need not notify the node. Belongs to one
/// thread.
///
/// Lines that cannot be written are lost, and one line a minute in the node's log states the reason. A full disk
/// delays no request, and the log continues when there is room.
final class AccessFile implements AutoCloseable {

    /// Opens a file to append to, and makes it where it is not there.
    @FunctionalInterface
    interface Opener {
        WritableByteChannel open(Path path) throws IOException;
    }

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final String FOR_OWNER_AND_GROUP = "rw-r-----";
    private static final String LOST = "cannot be written, and lines are lost";

    // Constant.
    private final Path path;
    private final LogRotation rotation;
    private final Opener opener;
    private final Logger logger;
    private final LongSupplier nanoTime;

    private @Nullable WritableByteChannel channel;
    private @Nullable Object key;
    private boolean movable;
    private long size;
    private long rotateNanos;
    private long lookNanos;
    private long warnNanos;
    private boolean torn;

    /// @throws IOException when it cannot be written
    AccessFile(Path path, LogRotation rotation, Opener opener, Logger logger, LongSupplier nanoTime)
            throws IOException {
        this.path = path;
        this.rotation = rotation;
        this.opener = opener;
        this.logger = logger;
        this.nanoTime = nanoTime;
        this.lookNanos = nanoTime.getAsLong() + LOOK_NANOS;
        this.warnNanos = nanoTime.getAsLong();
        this.rotateNanos = nanoTime.getAsLong();
        open();
    }

    /// Appends lines.
    ///
    /// @return how many of them are lost
    int write(ByteBuffer lines) {
        look();
        rotateBefore(lines.remaining());
        WritableByteChannel out = channel;
        if (out == null) {
            return linesIn(lines); // the next look tries again
        }
        try {
            if (torn) {
                out.write(ByteBuffer.wrap(new byte[] {'\n'}));
                torn = false;
            }
            while (lines.hasRemaining()) {
                size += out.write(lines);
            }
            return 0;
        } catch (IOException e) {
            if (lines.position() > 0) {
                torn = lines.get(lines.position() - 1) != '\n'; // else as it was
            }
            warn(LOST, e);
            return linesIn(lines);
        }
    }

    /// Leaves a file that is no longer the one of that name, once a second.
    void look() {
        long now = nanoTime.getAsLong();
        if (now - lookNanos < 0) {
            return;
        }
        lookNanos = now + LOOK_NANOS;
        try {
            if (channel != null && isSame()) {
                return;
            }
            close();
            open();
        } catch (IOException e) {
            warn(LOST, e);
        }
    }

    /// Rotates the file if these bytes would exceed its bound. If that fails, the file is written further, and the
    /// rotation is tried again a second later: so the log has more lines than its bound, and not fewer.
    private void rotateBefore(int bytes) {
        if (size == 0 || !movable || !rotation.isBeyond(size + bytes) || nanoTime.getAsLong() - rotateNanos < 0) {
            return;
        }
        try {
            if (isSame()) {
                size = Files.size(path); // another process may have truncated it
                if (!rotation.isBeyond(size + bytes)) {
                    return;
                }
                rotation.moveAway(path);
            }
        } catch (IOException e) {
            growsOn("cannot be moved away, and grows on", e);
            return;
        }
        WritableByteChannel before = channel;
        try {
            open();
            closeQuietly(before);
        } catch (IOException e) {
            growsOn("was moved away, and grows on: there is no new file", e);
        }
    }

    private void growsOn(String why, IOException e) {
        rotateNanos = nanoTime.getAsLong() + LOOK_NANOS;
        warn(why, e);
    }

    private boolean isSame() {
        try {
            Object there = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return there == null || there.equals(key);
        } catch (IOException _) {
            return false; // it has gone
        }
    }

    private void open() throws IOException {
        WritableByteChannel opened = opener.open(path);
        BasicFileAttributes found;
        try {
            found = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (IOException e) {
            closeQuietly(opened);
            throw e;
        }
        channel = opened;
        key = found.fileKey();
        size = found.size();
        movable = LogRotation.isMovable(path);
        torn = false;
    }

    /// Opens a file to append to. A new file is readable only by its owner and group: it has keys in it.
    static FileChannel append(Path path) throws IOException {
        boolean modes = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = modes
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(FOR_OWNER_AND_GROUP))
                }
                : new FileAttribute<?>[0];
        return FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                attributes);
    }

    private void warn(String what, IOException e) {
        long now = nanoTime.getAsLong();
        if (now - warnNanos >= 0) {
            warnNanos = now + WARN_NANOS;
            logger.log(Level.WARNING, "the access log {0} {1}: {2}", path, what, FileTrouble.writing(e));
        }
    }

    private static int linesIn(ByteBuffer lines) {
        int count = 0;
        for (int i = lines.position(); i < lines.limit(); i++) {
            count += lines.get(i) == '\n' ? 1 : 0;
        }
        return count;
    }

    @Override
    public void close() {
        closeQuietly(channel);
        channel = null;
        key = null;
    }

    private static void closeQuietly(@Nullable WritableByteChannel open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // nothing was buffered here
            }
        }
    }
}
