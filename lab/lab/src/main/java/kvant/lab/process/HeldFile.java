package kvant.lab.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A file with at most one holder at a time, by a lock of the operating system, which is released when the process ends
/// in any way.
public final class HeldFile implements AutoCloseable {

    private final FileChannel channel;

    private HeldFile(FileChannel channel) {
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
        return held ? Optional.of(new HeldFile(channel)) : Optional.empty();
    }

    /// Releases the file.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
