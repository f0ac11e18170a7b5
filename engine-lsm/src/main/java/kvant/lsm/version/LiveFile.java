package kvant.lsm.version;

import java.util.concurrent.atomic.AtomicInteger;

/// An open table or value file: how many versions hold it, and whether it is still part of the store. Any thread may
/// call it; [#retire] is for the thread that installs a version.
abstract sealed class LiveFile permits LiveTable, LiveValues {

    /// Counted together for a table that is a member of two runs, one after the other.
    private static final class Holders {

        private final AtomicInteger versions = new AtomicInteger();
        private volatile boolean retired;
    }

    private final Holders holders;

    LiveFile() {
        this.holders = new Holders();
    }

    /// @param same file
    LiveFile(LiveFile same) {
        this.holders = same.holders;
    }

    abstract long number();

    abstract long bytes();

    abstract String fileName();

    /// @return false when it is being read just then
    abstract boolean tryClose();

    abstract void close();

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
