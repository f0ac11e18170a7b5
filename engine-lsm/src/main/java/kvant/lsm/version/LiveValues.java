package kvant.lsm.version;

import java.util.concurrent.atomic.AtomicInteger;
import kvant.lsm.value.ValueFile;
import kvant.lsm.value.ValueFileInfo;

/// An open value file, and the number of versions whose tables refer to it. At zero it may be deleted.
final class LiveValues {

    private final ValueFileInfo info;
    private final ValueFile file;
    private final AtomicInteger versions = new AtomicInteger();

    LiveValues(ValueFileInfo info, ValueFile file) {
        this.info = info;
        this.file = file;
    }

    ValueFileInfo info() {
        return info;
    }

    ValueFile file() {
        return file;
    }

    void acquire() {
        versions.incrementAndGet();
    }

    /// @return whether this was the last one
    boolean release() {
        return versions.decrementAndGet() == 0;
    }
}
