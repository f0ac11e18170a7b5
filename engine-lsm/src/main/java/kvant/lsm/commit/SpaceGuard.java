package kvant.lsm.commit;

import java.io.IOException;
import java.time.Duration;
import kvant.engine.EngineException;
import kvant.lsm.storage.Storage;
import org.jspecify.annotations.Nullable;

/// Refuses writes while the disk has too little room, and lets them in again when there is room, by itself.
///
/// Writes stop before the disk is full, because flush, compaction and manifest need room to bring what was
/// accepted into tables. Belongs to the commit thread; [#refusal] is readable by anyone.
final class SpaceGuard {

    private static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();

    // Constant.
    private final Storage storage;
    private final long headroomBytes;

    // Commit thread.
    private long nextCheckNanos = System.nanoTime();

    // Read by anyone.
    private volatile EngineException.@Nullable StorageFull refusal;

    SpaceGuard(Storage storage, long headroomBytes) {
        this.storage = storage;
        this.headroomBytes = headroomBytes;
    }

    /// Looks at the disk, at most ten times a second.
    ///
    /// @return null when there is room
    EngineException.@Nullable StorageFull check() {
        long now = System.nanoTime();
        if (now - nextCheckNanos >= 0) {
            nextCheckNanos = now + CHECK_NANOS;
            look();
        }
        return refusal;
    }

    /// A write found no room: whatever the file system says, there is none for the moment.
    EngineException.StorageFull full() {
        EngineException.StorageFull full = refused("");
        refusal = full;
        nextCheckNanos = System.nanoTime() + CHECK_NANOS;
        return full;
    }

    /// When the next look is due, for as long as there is no room: in so many nanoseconds.
    long dueNanos() {
        return refusal == null ? Long.MAX_VALUE : nextCheckNanos - System.nanoTime();
    }

    /// The last finding.
    EngineException.@Nullable StorageFull refusal() {
        return refusal;
    }

    private void look() {
        try {
            long usable = storage.usableBytes();
            refusal = usable < headroomBytes ? refused(", only " + usable + " bytes are left") : null;
        } catch (IOException _) {
            // Not knowing is no reason to refuse: a write that fails will tell.
            refusal = null;
        }
    }

    private EngineException.StorageFull refused(String detail) {
        return new EngineException.StorageFull("the disk of " + storage.describe("") + " is full" + detail
                + ": writes resume when " + headroomBytes + " bytes are free");
    }
}
