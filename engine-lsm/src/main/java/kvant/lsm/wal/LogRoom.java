package kvant.lsm.wal;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;

/// The zeros of a preallocated log that were never overwritten, because the process was killed. They take room on the
/// disk, and of the bound on logs kept for followers of changes.
///
/// Cutting them off is safe at any time: no record is touched, and nothing is synced, because a sync of that log may
/// have failed before. Should a power cut bring them back, the next start cuts them again. A failure costs only room.
public final class LogRoom {

    private static final Logger LOGGER = System.getLogger(LogRoom.class.getName());

    private LogRoom() {}

    /// @param number of a log that is neither being written nor mapped
    /// @param writtenBytes size without the preallocated room
    public static void cut(Storage storage, long number, long writtenBytes) {
        String file = FileNames.log(number);
        try {
            if (storage.size(file) > writtenBytes) {
                storage.truncate(file, writtenBytes);
            }
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "{0} keeps its room: {1}", storage.describe(file), e.getMessage());
        }
    }

    /// The same of a log of which it is not known how much was written. Reads it only where it ends with zeros.
    public static void cut(Storage storage, long number) {
        long writtenBytes;
        try {
            writtenBytes = writtenBytes(storage, FileNames.log(number));
        } catch (IOException | InternalError | EngineException e) {
            LOGGER.log(Level.DEBUG, "log {0} keeps its room: {1}", number, e.getMessage());
            return;
        }
        cut(storage, number, writtenBytes);
    }

    private static long writtenBytes(Storage storage, String file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = storage.map(file, arena);
            long size = bytes.byteSize();
            if (size < Long.BYTES || bytes.get(ByteReader.LONG, size - Long.BYTES) != 0) {
                return size;
            }
            RecordReader log = new RecordReader(bytes, FileHeader.Kind.LOG, storage.describe(file));
            while (log.next()) {
                // To its end.
            }
            return log.validSize() + log.tornBytes();
        }
    }
}
