package kvant.lsm.store;

import java.util.concurrent.locks.LockSupport;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Run;
import kvant.lsm.version.Version;
import org.jspecify.annotations.Nullable;

/// The backlog of flushes and merges, as seen by the commit thread, which it wakes on changes, without a lock.
public final class Backlog {

    /// The work waiting for the flush thread and the compaction threads, as of one super version.
    ///
    /// @param sealedMemtables that wait for their flush
    /// @param sealedBytes memory that they hold
    /// @param levelZeroRuns runs of tables that overlap with others, each of which costs a read
    /// @param debtBytes approximate bytes to merge before the tables have the shape that the picker wants
    /// @param logs that are live
    public record Amount(int sealedMemtables, long sealedBytes, int levelZeroRuns, long debtBytes, int logs) {

        static Amount of(Iterable<SealedMemtable> sealed, Version version, long debtBytes, int logs) {
            int sealedMemtables = 0;
            long sealedBytes = 0;
            for (SealedMemtable each : sealed) {
                sealedMemtables++;
                sealedBytes += each.memtable().bytes();
            }
            int levelZeroRuns = 0;
            for (Run run : version.runs()) {
                levelZeroRuns += Levels.levelOf(run.id()) == 0 ? 1 : 0;
            }
            return new Amount(sealedMemtables, sealedBytes, levelZeroRuns, debtBytes, logs);
        }
    }

    // Written under the store's lock, read by any thread.
    private volatile Amount amount = new Amount(0, 0, 0, 0, 0);

    // Written by the commit thread, read by any thread.
    private volatile @Nullable Thread watcher;

    // Written by the thread that closes the engine.
    private volatile boolean draining;

    public Amount now() {
        return amount;
    }

    void publish(Amount next) {
        amount = next;
        wake();
    }

    /// Something changed that a waiting commit thread may want to know.
    void wake() {
        Thread thread = watcher;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /// From here on changes wake the calling thread, which checks the backlog afterwards, so that it misses none.
    public void begin() {
        watcher = Thread.currentThread();
    }

    /// Waits for a change since [#begin] or since the last wait, at most for this long. May return for no reason.
    public void await(long timeoutNanos) {
        LockSupport.parkNanos(this, timeoutNanos);
    }

    public void end() {
        watcher = null;
    }

    /// Whether the last writes are being accepted, which are not slowed down any more.
    public boolean isDraining() {
        return draining;
    }

    public void drain() {
        draining = true;
        wake();
    }
}
