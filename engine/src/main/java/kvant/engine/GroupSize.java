package kvant.engine;

/// How many writes a group should have, and how long it may wait for them.
///
/// A sync costs the same for one write as for a hundred, in processor time too. Clients that are answered together
/// come back one after the other, so that a commit that begins with the first of them has a group of one, and the
/// next group all others. Half of the writes that were pending of late make a group, so that one half is synced while
/// the other half is on its way; a smaller group waits for at most a part of the last commit. A log that does not sync
/// waits for nothing, nor does a client that is alone (`commit_delay` and `commit_siblings` of PostgreSQL are fixed
/// numbers for the same purpose).
///
/// Belongs to the commit thread.
final class GroupSize {

    /// Of the last commit, that a group may wait.
    private static final int WAIT_SHARE = 2;

    private static final long MOST_WAIT_NANOS = 500_000;

    /// A thread that sleeps for less than this wakes too late to have gained anything.
    private static final long LEAST_WAIT_NANOS = 30_000;

    /// Of what was pending before, that is forgotten with each group.
    private static final int FORGOTTEN_SHARE = 8;

    private long pending;
    private long waitNanos;

    /// A group was committed.
    ///
    /// @param writes in the group, and waiting behind it
    /// @param nanos that the commit took
    void committed(long writes, long nanos) {
        pending = Math.max(writes, pending - (pending + FORGOTTEN_SHARE - 1) / FORGOTTEN_SHARE);
        waitNanos = Math.min(MOST_WAIT_NANOS, nanos / WAIT_SHARE);
    }

    /// So many are enough.
    long writes() {
        return Math.max(1, pending / 2);
    }

    /// Most of the time for them; 0 for none.
    long waitNanos() {
        return pending < 2 * 2 || waitNanos < LEAST_WAIT_NANOS ? 0 : waitNanos;
    }
}
