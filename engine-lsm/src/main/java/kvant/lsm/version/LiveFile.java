package kvant.lsm.version;

import java.util.concurrent.atomic.AtomicInteger;
import kvant.lsm.storage.UnpinnedFile;

/// An open table or value file: how many versions hold it, and whether it is still part of the store. Any thread may
/// call it; [#retire] is for the thread that installs a version.
abstract sealed class LiveFile permits LiveTable, LiveValues {

    /// Counted together for a table that is a member of two runs, one after the other.
    private static final class Holders {

        private final AtomicInteger versions = new AtomicInteger();
        private volatile boolean retired;
    }

    private final long number;
    private final long bytes;
    private final String fileName;
    private final UnpinnedFile file;
    private final Holders holders;

    LiveFile(long number, long bytes, String fileName, UnpinnedFile file) {
        this.number = number;
        this.bytes = bytes;
        this.fileName = fileName;
        this.file = file;
        this.holders = new Holders();
    }

    LiveFile(LiveFile same) {
        this.number = same.number;
        this.bytes = same.bytes;
        this.fileName = same.fileName;
        this.file = same.file;
        this.holders = same.holders;
    }

    final long number() {
        return number;
    }

    final long bytes() {
        return bytes;
    }

    final String fileName() {
        return fileName;
    }

    /// @return false when it is being read just then
    final boolean tryClose() {
        return file.tryClose();
    }

    final void close() {
        file.close();
    }

    void acquire() {
        holders.versions.incrementAndGet();
    }

    /// @return whether this was the last version, so that the file may be deleted
    boolean release() {
        return holders.versions.decrementAndGet() == 0;
    }

    /// Marks the file as no longer part of the store; it stays for as long as a version holds it.
    void retire() {
        holders.retired = true;
    }

    boolean isRetired() {
        return holders.retired;
    }
}
