package kvant.lsm.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A file that is being appended to. Belongs to one thread at a time, which nobody interrupts: an interrupt
/// would close the channel beneath.
public interface WritableFile extends AutoCloseable {

    /// Appends all remaining bytes.
    ///
    /// @throws StorageFullException when there is no room; part of the bytes may have been written
    void write(ByteBuffer bytes) throws IOException;

    /// Makes everything that was written durable. After a failure, nothing is known about what is on the
    /// disk, and a second call would only pretend.
    void sync() throws IOException;

    /// Makes room for so many bytes in all, and makes the room durable: behind what was written stand zeros,
    /// which what is written later replaces. A sync of bytes for which there was room need not make a new size
    /// durable, and is cheaper for it. The file is as large as its room.
    ///
    /// @throws StorageFullException when there is not so much room; some of it may have been made
    void preallocate(long bytes) throws IOException;

    /// Takes back what was written beyond this size, and all room beyond it.
    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
}
