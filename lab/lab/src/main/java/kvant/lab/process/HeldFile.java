package kvant.lab.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A file that has one holder at a time, by a lock of the operating system: it ends with the process that has it,
/// however that ends.
public final class HeldFile implements AutoCloseable {

    private final FileChannel channel;

    private HeldFile(FileChannel channel) {
        this.channel = channel;
    }

    /// Creates the file where it is absent.
    ///
    /// @return empty where another holder has it, in this process or in another one
    public static Optional<HeldFile> tryHold(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean held = false;
        try {
            @Nullable FileLock lock = channel.tryLock();
            held = lock != null;
        } catch (OverlappingFileLockException _) {
            // this process has it
        } finally {
            if (!held) {
                channel.close();
            }
        }
        return held ? Optional.of(new HeldFile(channel)) : Optional.empty();
    }

    /// Lets it go.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
