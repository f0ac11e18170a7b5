package kvant.lsm.store;

import kvant.engine.EngineException;
import org.jspecify.annotations.Nullable;

/// Merges of everything that somebody has asked for. Requests are counted: a merge of all runs that begins after a
/// request answers it, well or not. A request that has failed is not tried again: who asked is told, and ordinary
/// merges go on. Any thread requests, the compaction threads answer.
public final class FullCompaction {

    // Guarded by this.
    private long requested;
    private long answered;
    private long failed;
    private @Nullable EngineException failure;

    /// @return what [#isDone] is to be asked with
    public synchronized long request() {
        return ++requested;
    }

    /// @throws EngineException what the merge failed with
    public synchronized boolean isDone(long request) {
        if (failure != null && request <= failed) {
            throw failure;
        }
        return answered >= request;
    }

    /// The newest request that has no answer, and which a merge that begins now answers; 0 when there is none.
    public synchronized long pending() {
        return answered < requested ? requested : 0;
    }

    /// Everything has been merged since this was requested.
    public synchronized void answer(long request) {
        answered = Math.max(answered, request);
    }

    public synchronized void fail(long request, EngineException why) {
        if (request > answered) {
            answered = request;
            failed = request;
            failure = why;
        }
    }
}
