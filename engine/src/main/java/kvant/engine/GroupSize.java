package kvant.engine;

/// The target size of a commit group, and the longest wait for it.
///
/// A sync costs the same for one write as for a hundred, in processor time too, and clients that are answered together
/// return one after the other. A group therefore waits for as many writes as were pending lately, for at most a part of
/// the last commit's duration. A log that does not sync waits for nothing, nor do fewer than four writes, which
/// lose more than a shared sync saves (`commit_delay` and `commit_siblings` of PostgreSQL are fixed numbers).
///
/// Belongs to the commit thread.
final class GroupSize {

    /// Divisor: the part of the last commit's duration that a group may wait.
    private static final int WAIT_SHARE = 2;

    private static final int LEAST_PENDING = 4;
    private static final long MOST_WAIT_NANOS = 500_000;

    /// A thread that sleeps for less than this wakes too late to have gained anything.
    private static final long LEAST_WAIT_NANOS = 30_000;

    /// Divisor: the part of the pending count that is forgotten with each group.
    private static final int FORGOTTEN_SHARE = 8;

    private long pending;
    private long waitNanos;

    /// Records a committed group.
    ///
    /// @param writes in the group, and waiting behind it
    /// @param nanos duration of the commit
    void committed(long writes, long nanos) {
        pending = Math.max(writes, pending - (pending + FORGOTTEN_SHARE - 1) / FORGOTTEN_SHARE);
        waitNanos = Math.min(MOST_WAIT_NANOS, nanos / WAIT_SHARE);
    }

    /// The group size that is enough to commit.
    long writes() {
        return Math.max(1, pending);
    }

    /// The longest wait for that size; 0 for no wait.
    long waitNanos() {
        return pending < LEAST_PENDING || waitNanos < LEAST_WAIT_NANOS ? 0 : waitNanos;
    }
}
