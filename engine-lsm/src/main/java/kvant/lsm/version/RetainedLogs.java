package kvant.lsm.version;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Logs that recovery no longer needs and that are kept for those who follow changes: the newest ones, up to
/// so many bytes. The manifest does not name them. Any thread may call it.
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

    synchronized void add(long number) {
        long size = maxBytes == 0 ? LEAST_BYTES : bytesOf(storage, number);
        bytesOfLogs.put(number, size);
        bytes += size;
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
    /// @return null when no more are kept than may be
    synchronized @Nullable Long takeSurplus() {
        return bytes > maxBytes ? takeOldest() : null;
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
