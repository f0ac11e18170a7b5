package kvant.lsm;

/// Merges of everything that somebody has asked for. Requests are counted: a merge of all runs that begins after a
/// request answers it. Any thread requests, the compaction threads answer.
final class FullCompaction {

    // Guarded by this.
    private long requested;
    private long answered;

    /// @return what [#isDone] is to be asked with
    synchronized long request() {
        return ++requested;
    }

    synchronized boolean isDone(long request) {
        return answered >= request;
    }

    /// The newest request that has no answer, and which a merge that begins now answers; 0 when there is none.
    synchronized long pending() {
        return answered < requested ? requested : 0;
    }

    /// Everything has been merged since this was requested.
    synchronized void answer(long request) {
        answered = Math.max(answered, request);
    }
}
