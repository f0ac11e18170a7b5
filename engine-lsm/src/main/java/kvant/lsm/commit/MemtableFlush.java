package kvant.lsm.commit;

import java.time.Duration;
import kvant.lsm.memtable.Memtable;
import kvant.lsm.store.Store;

/// The flush of the memtables that commits fill, for what stands around a [CommitLog]. Belongs to the commit thread.
public final class MemtableFlush {

    /// Longest wait between checks. Each change wakes the commit thread; this covers an overlooked one.
    private static final long RECHECK_NANOS = Duration.ofMillis(250).toNanos();

    private final CommitLog log;
    private final Store store;

    public MemtableFlush(CommitLog log, Store store) {
        this.log = log;
        this.store = store;
    }

    /// The memtable that groups are added to now; another one after each seal.
    public Memtable active() {
        return store.active();
    }

    /// Seals the active memtable if it is full, as the next group would, unless the log has failed.
    public void sealIfFull() {
        if (store.health().writeFailure() == null && store.room().isFull(active())) {
            log.makeRoom(); // a failure is reported to the next group: this one is in the log
        }
    }

    /// Waits until all sealed memtables are flushed, or a flush fails.
    public void await() {
        await(store, Long.MAX_VALUE);
    }

    /// @param nanos the longest wait
    static void await(Store store, long nanos) {
        long beginNanos = System.nanoTime();
        store.backlog().begin();
        try {
            while (!store.readers().current().sealed().isEmpty()
                    && store.health().flushFailure() == null
                    && System.nanoTime() - beginNanos < nanos) {
                store.backlog().await(RECHECK_NANOS);
            }
        } finally {
            store.backlog().end();
        }
    }
}
