package kvant.lsm.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/// A file that is being appended to. Belongs to one thread at a time, which must not be interrupted: an
/// interrupt would close the channel.
public interface WritableFile extends AutoCloseable {

    /// Appends all remaining bytes.
    ///
    /// @throws StorageFullException when there is no room; part of the bytes may have been written
    void write(ByteBuffer bytes) throws IOException;

    /// Makes all written bytes durable. After a failure the content of the disk is unknown, and a second call may
    /// succeed although data is lost.
    void sync() throws IOException;

    /// Has the disk start with the written bytes, so that a later [#sync] finds little to do. A hint: it guarantees
    /// nothing, and does not fail.
    default void beginWriteback() {}

    /// Extends the file with zeros to this many bytes in total, and makes that durable; later writes replace the
    /// zeros. A sync of preallocated bytes need not make a new size durable, and is cheaper for it.
    ///
    /// @throws StorageFullException when there is no room; part of the zeros may have been written
    void preallocate(long bytes) throws IOException;

    /// Truncates the file to this size, preallocated space included.
    void truncate(long size) throws IOException;

    @Override
    void close() throws IOException;
}
