package kvant.lsm.commit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import kvant.engine.Durability;
import kvant.engine.EngineException;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.NoDescriptorException;
import kvant.lsm.storage.StorageFullException;
import kvant.lsm.store.Store;
import org.jspecify.annotations.Nullable;

/// The reaction to a failed append or sync. Belongs to the commit thread.
///
/// After a full disk, writes can continue, because the record has been taken back and no synced data is in doubt. The
/// same holds for a log that could not be created. All other failures stop writes: the content of the log is unknown.
/// Data acknowledged before its sync is then flushed at once, because only the memtable has it for certain ([fsync
/// failures](https://www.usenix.org/conference/atc20/presentation/rebello)).
final class LogFailure {

    /// Longest wait of a close for that flush: a failed disk may not take it either.
    private static final long FLUSH_NANOS = Duration.ofSeconds(30).toNanos();

    // Constant.
    private final Store store;
    private final LogFiles logs;
    private final SpaceGuard space;
    private final DescriptorGuard descriptors;

    // Commit thread.
    private boolean flushIsDue;
    private boolean sealed;

    LogFailure(Store store, LogFiles logs, SpaceGuard space, DescriptorGuard descriptors) {
        this.store = store;
        this.logs = logs;
        this.space = space;
        this.descriptors = descriptors;
    }

    /// Handles an exception, with the memtable as it was before the group.
    ///
    /// @return the failure of the group's writes
    EngineException of(IOException e) {
        if (e instanceof StorageFullException met) {
            logs.giveRoomBack();
            return space.full(met);
        }
        if (e instanceof NoDescriptorException none) {
            return descriptors.failed(none);
        }
        String name = FileNames.log(logs.current().header().number());
        EngineException failure =
                store.health().failWrites("the log " + store.storage().describe(name) + " failed", e);
        flushIsDue = !(store.options().durability() instanceof Durability.Always);
        flushUnsynced();
        return failure;
    }

    /// As [#of], of a group that was being appended or synced: where that stops writes, a restart may find the group.
    EngineException ofGroup(IOException e) {
        EngineException failure = of(e);
        return failure instanceof EngineException.LogFailed
                ? new EngineException.OutcomeUnknown(failure.getMessage() + "; a restart may find this write")
                : failure;
    }

    /// Stops writes after an unexpected exception, which leaves the files, and perhaps the memtable, in an unknown
    /// state.
    void unless(boolean decided, String what) {
        if (!decided) {
            store.health().failWrites(what + " broke off", new IOException("see the log of the process"));
        }
    }

    private void flushUnsynced() {
        if (flushIsDue && !sealed && !store.active().isEmpty()) {
            logs.sealAfterFailure(); // which may find no memory for the next memtable
            sealed = true;
        }
    }

    /// Before a close: waits for the flush that was started because of a failure, unless the flush fails too.
    void awaitFlush() {
        flushUnsynced(); // where that was not possible before
        if (sealed) {
            MemtableFlush.await(store, FLUSH_NANOS);
        }
    }

    /// Refuses writes for a moment after the next log could not be created for lack of a file descriptor. Descriptors
    /// become free when clients disconnect, so writes resume by themselves. Belongs to the commit thread.
    static final class DescriptorGuard {

        private static final Logger LOGGER = System.getLogger(DescriptorGuard.class.getName());

        /// Each attempt ends the current log once more, with two syncs.
        private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();

        private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

        private EngineException.@Nullable Busy refusal;
        private long retryNanos;
        private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;

        /// Why no log is to be made now, or null.
        EngineException.@Nullable Busy refusal() {
            if (refusal != null && System.nanoTime() - retryNanos >= 0) {
                refusal = null;
            }
            return refusal;
        }

        EngineException.Busy failed(NoDescriptorException e) {
            long now = System.nanoTime();
            EngineException.Busy busy = new EngineException.Busy("no log can be made: " + e.getMessage());
            refusal = busy;
            retryNanos = now + RETRY_NANOS;
            if (now - loggedNanos >= LOG_EVERY_NANOS) {
                loggedNanos = now;
                LOGGER.log(Level.WARNING, "writes wait for a file descriptor: {0}", e.getMessage());
            }
            return busy;
        }
    }
}
