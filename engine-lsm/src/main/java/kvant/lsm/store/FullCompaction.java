package kvant.lsm.store;

import java.util.ArrayDeque;
import java.util.Deque;
import kvant.engine.EngineException;

/// Requests for full merges. Requests are counted: a merge of all runs that begins after a request answers it, with
/// success or failure. A failed request is not retried: its caller gets the failure, and ordinary merges continue.
/// Any thread requests, the compaction threads answer.
public final class FullCompaction {

    /// Failures that are remembered for their callers.
    private static final int MAX_FAILURES = 16;

    /// The progress of the running merge.
    ///
    /// @param doneBytes read by its parts so far
    /// @param leftBytes approximate bytes left to read
    /// @param beganNanos start by [System#nanoTime]
    public record Progress(long doneBytes, long leftBytes, long beganNanos) {

        public static final Progress NONE = new Progress(0, 0, 0);
    }

    /// Failed requests, as a range of their numbers.
    private record Failure(long from, long to, EngineException why) {}

    // Guarded by this.
    private final Deque<Failure> failures = new ArrayDeque<>();
    private long requested;
    private long answered;

    // Written by the compaction threads, read by anyone.
    private volatile Progress progress = Progress.NONE;

    /// @return the number to pass to [#isDone]
    public synchronized long request() {
        return ++requested;
    }

    /// @throws EngineException the failure of the merge
    public synchronized boolean isDone(long request) {
        for (Failure failure : failures) {
            if (failure.from() <= request && request <= failure.to()) {
                throw failure.why();
            }
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
        progress = Progress.NONE;
    }

    public synchronized void fail(long request, EngineException why) {
        if (request > answered) {
            failures.addLast(new Failure(answered + 1, request, why));
            if (failures.size() > MAX_FAILURES) {
                failures.removeFirst();
            }
            answered = request;
        }
        progress = Progress.NONE;
    }

    public Progress progress() {
        return progress;
    }

    public void report(Progress now) {
        progress = now;
    }
}
