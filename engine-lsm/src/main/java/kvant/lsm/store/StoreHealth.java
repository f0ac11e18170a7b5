package kvant.lsm.store;

import java.io.IOException;
import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// Failures that still matter: a log's for good, a flush's or a compaction's until it succeeds. Any thread may look.
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

    /// Stops all writes, because the content of the log is unknown.
    ///
    /// @return the failure of every write
    public EngineException.LogFailed failWrites(String what, IOException cause) {
        return stopWrites(what + ": " + cause.getMessage() + "; writes have stopped, reads continue: mend the disk and"
                + " restart");
    }

    /// Stops all writes.
    ///
    /// @param why for a person, with the remedy
    /// @return the failure of every write
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

    /// The obstacle to some or all merges; null when there is none.
    public @Nullable EngineException mergeObstacle() {
        EngineException failure = compactionFailure;
        return failure != null ? failure : quarantine.reason();
    }
}
