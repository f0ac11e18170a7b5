package kvant.lsm.store;

import java.io.IOException;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// What has failed and still matters: a log for good, a flush or a compaction until it succeeds. Any thread may look.
public final class StoreHealth {

    // Constant.
    private final Runnable signal;
    private final Quarantine quarantine = new Quarantine();

    // Written by the thread that met it, read by anyone.
    private volatile EngineException.@Nullable LogFailed writeFailure;
    private volatile @Nullable EngineException flushFailure;
    private volatile @Nullable EngineException compactionFailure;

    /// @param signal wakes the threads that wait for a change
    StoreHealth(Runnable signal) {
        this.signal = signal;
    }

    /// From now on no write is acknowledged: nobody knows what the log holds.
    ///
    /// @return what every write fails with
    public EngineException.LogFailed failWrites(String what, IOException cause) {
        return stopWrites(what + ": " + cause.getMessage() + "; writes have stopped, reads continue: mend the disk and"
                + " restart");
    }

    /// From now on no write is acknowledged.
    ///
    /// @param why for a person, with what to do
    /// @return what every write fails with
    public EngineException.LogFailed stopWrites(String why) {
        EngineException.LogFailed failure = new EngineException.LogFailed(why);
        writeFailure = failure;
        signal.run();
        return failure;
    }

    public EngineException.@Nullable LogFailed writeFailure() {
        return writeFailure;
    }

    /// Says what keeps memtables from being flushed, or null when nothing does any more.
    public void reportFlush(@Nullable EngineException failure) {
        flushFailure = failure;
        signal.run();
    }

    public @Nullable EngineException flushFailure() {
        return flushFailure;
    }

    /// Says what keeps runs from being merged, or null when nothing does any more.
    public void reportCompaction(@Nullable EngineException failure) {
        compactionFailure = failure;
    }

    public @Nullable EngineException compactionFailure() {
        return compactionFailure;
    }

    /// Tables that merges leave alone.
    public Quarantine quarantine() {
        return quarantine;
    }

    /// What keeps merges from being done, all or some; null when nothing does.
    public @Nullable EngineException mergeObstacle() {
        EngineException failure = compactionFailure;
        return failure != null ? failure : quarantine.reason();
    }
}
