package kvant.lsm.version;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import kvant.lsm.wal.LogPlaces;
import org.jspecify.annotations.Nullable;

/// Logs that recovery no longer needs and that are kept for those who follow changes: the newest ones, up to
/// so many bytes, and in any case the one with the newest change. The manifest does not name them. Any thread may
/// call it.
final class RetainedLogs {

    /// What a log is charged at least, so that short ones are bounded in number.
    static final long LEAST_BYTES = 64 << 10;

    // Constant.
    private final Storage storage;
    private final long maxBytes;

    // Guarded by this.
    private final TreeMap<Long, Long> bytesOfLogs = new TreeMap<>();
    private long bytes;

    /// @param maxBytes of all of them; 0 to keep none
    RetainedLogs(Storage storage, long maxBytes) {
        this.storage = storage;
        this.maxBytes = maxBytes;
    }

    /// @return whether it is kept for the time being; one without a change is not
    boolean add(long number) {
        if (maxBytes == 0 || !mayHoldChange(number)) {
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

    /// What a log is charged.
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
        return bytes > maxBytes && bytesOfLogs.size() > 1 ? takeOldest() : null;
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
