package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A disk that cannot read the pages of one file, although that has its size: what a bad sector is to a mapping. The
/// mapping is one of a copy, which is emptied: so the error is a real one of the JVM (SIGBUS), at the place where it
/// comes in a node.
public final class UnreadableFile extends ForwardingStorage {

    private final String file;
    private final Path folder;

    /// @param file that cannot be read
    /// @param folder for its copies
    public UnreadableFile(Storage storage, String file, Path folder) {
        super(storage);
        this.file = file;
        this.folder = folder;
    }

    @Override
    public MemorySegment map(String name, Arena arena) throws IOException {
        MemorySegment mapped = super.map(name, arena);
        return name.equals(file) ? withoutPages(mapped, arena) : mapped;
    }

    private MemorySegment withoutPages(MemorySegment whole, Arena arena) throws IOException {
        Path copy = Files.createTempFile(folder, "copy", "");
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = whole.asByteBuffer();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            channel.truncate(0);
            return mapped;
        }
    }
}
