package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One flat directory of files: all that the engine needs of a file system.
///
/// Nothing here is durable until it is synced: bytes by [WritableFile#sync], names by [#syncDirectory]. After a power
/// cut, a file system may have kept any part of unsynced data.
public interface Storage {

    /// The names of all files.
    List<String> list() throws IOException;

    /// Creates a file that must not exist yet.
    WritableFile create(String name) throws IOException;

    /// Maps a whole file for reading; the mapping lives as long as the arena.
    MemorySegment map(String name, Arena arena) throws IOException;

    /// Reads a piece of a file without keeping it open, for files that may be truncated or deleted meanwhile.
    ///
    /// @param position where the piece begins, perhaps behind the end of the file
    /// @return how many bytes were read, fewer than there is room for where the file ends
    default long read(String name, long position, MemorySegment into) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = map(name, arena);
            long bytes = Math.clamp(file.byteSize() - position, 0, into.byteSize());
            into.asSlice(0, bytes).copyFrom(file.asSlice(Math.min(position, file.byteSize()), bytes));
            return bytes;
        }
    }

    /// The present size of a file in bytes.
    long size(String name) throws IOException;

    /// Truncates a file that is neither being written nor mapped. Not durable: a power cut may bring the removed
    /// bytes back.
    void truncate(String name, long size) throws IOException;

    /// Renames a file, replacing the target atomically.
    void rename(String from, String to) throws IOException;

    void delete(String name) throws IOException;

    /// Deletes a file that was begun in vain. One that stays is deleted by the next start: the failure that led here
    /// is the one to report.
    default void discard(String name) {
        try {
            delete(name);
        } catch (IOException _) {
            // As above.
        }
    }

    /// Makes creations, renames and deletions durable, except for those of logs; for them call it on [#logs].
    void syncDirectory() throws IOException;

    /// Bytes that can still be written here; of logs, in [#logs].
    long usableBytes() throws IOException;

    /// The directory that has the logs: this one, or one of their own, perhaps on another disk.
    default Storage logs() {
        return this;
    }

    /// Why this is no longer the directory that was opened, or null while it is. Any thread may ask.
    default @Nullable String displaced() {
        return null;
    }

    /// For messages: where this file is.
    String describe(String name);
}
