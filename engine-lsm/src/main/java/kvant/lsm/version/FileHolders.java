package kvant.lsm.version;

import java.util.concurrent.atomic.AtomicInteger;

/// How many versions hold a file, and whether the file is still part of the store. Any thread may call it; [#retire] is
/// for whoever installs a version.
final class FileHolders {

    private final AtomicInteger versions = new AtomicInteger();
    private volatile boolean retired;

    void acquire() {
        versions.incrementAndGet();
    }

    /// @return whether this was the last one, so that the file may be deleted
    boolean release() {
        return versions.decrementAndGet() == 0;
    }

    /// The file is no longer part of the store, and stays for as long as a version holds it.
    void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }
}
