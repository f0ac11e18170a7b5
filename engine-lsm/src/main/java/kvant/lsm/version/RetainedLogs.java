package kvant.lsm.version;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.TreeMap;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.wal.LogPlaces;
import org.jspecify.annotations.Nullable;

/// Logs that recovery no longer needs and that are kept for followers of changes: the newest ones, up to a bound, and
/// in any case the one with the newest change. Logs that an archive does not have yet are kept up to a larger bound.
/// The manifest does not name them. Any thread may call it.
final class RetainedLogs {

    /// The least bytes charged for a log, so that short ones are bounded in number.
    static final long LEAST_BYTES = 64 << 10;

    // Constant.
    private final Storage storage;
    private final long maxBytes;
    private final long heldBytes;

    // Written by the archive's thread.
    private volatile long copied;

    // Guarded by this.
    private final TreeMap<Long, Long> bytesOfLogs = new TreeMap<>();
    private long bytes;

    /// @param maxBytes of all of them; 0 to keep none
    /// @param heldBytes of all of them, where an archive does not have them yet
    RetainedLogs(Storage storage, long maxBytes, long heldBytes) {
        this.storage = storage;
        this.maxBytes = maxBytes;
        this.heldBytes = Math.max(maxBytes, heldBytes);
    }

    /// An archive has all up to this sequence number.
    void copied(long sequence) {
        copied = sequence;
    }

    /// @return whether it is kept for the time being; one without a change is not
    boolean add(long number) {
        if (heldBytes == 0 || !mayHoldChange(number)) {
            return false;
        }
        long size = bytesOf(storage, number);
        synchronized (this) {
            bytesOfLogs.put(number, size);
            bytes += size;
        }
        return true;
    }

    private boolean mayHoldChange(long number) {
        try {
            return LogPlaces.holdsGroup(storage, number, 0);
        } catch (IOException | EngineException _) {
            return true; // not knowing is no reason to delete it
        }
    }

    /// The bytes charged for a log.
    static long bytesOf(Storage storage, long number) {
        try {
            return Math.max(LEAST_BYTES, storage.size(FileNames.log(number)));
        } catch (IOException _) {
            return LEAST_BYTES; // then it cannot be read either
        }
    }

    /// Takes the oldest one, if there are more than may be kept.
    ///
    /// @return null when no more are kept than may be, or only the newest
    synchronized @Nullable Long takeSurplus() {
        if (bytes <= maxBytes || bytesOfLogs.size() <= 1) {
            return null;
        }
        return bytes > heldBytes || isOldestCopied() ? takeOldest() : null;
    }

    /// Whether the second-oldest log starts at or before the end of the archive, so that the oldest one is archived.
    private boolean isOldestCopied() {
        Long second = bytesOfLogs.higherKey(bytesOfLogs.firstKey());
        try (Arena arena = Arena.ofConfined()) {
            LogPlaces log = second == null ? null : LogPlaces.open(storage, second, arena);
            LogPlaces.Group first = log == null ? null : log.at(LogPlaces.FIRST);
            return first != null && first.firstSequence() - 1 <= copied;
        } catch (IOException | EngineException _) {
            return false; // not knowing is no reason to delete it
        }
    }

    /// Takes the oldest one.
    ///
    /// @return null when none is kept
    synchronized @Nullable Long takeOldest() {
        Map.Entry<Long, Long> oldest = bytesOfLogs.pollFirstEntry();
        if (oldest == null) {
            return null;
        }
        bytes -= oldest.getValue();
        return oldest.getKey();
    }

    synchronized long bytes() {
        return bytes;
    }
}
