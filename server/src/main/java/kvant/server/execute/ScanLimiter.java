package kvant.server.execute;

import java.util.function.BooleanSupplier;

/// Counts ranges whose next batch is being made, or is on its way to their event loop, and keeps workers from
/// beginning more of them than are finished.
///
/// A range that waits for its client does not count, so that clients that do not read take no places. Long ranges do
/// not shut short ones out: while they keep all places, one more is let in after some rounds, and after more rounds
/// the more there are, so that a newcomer's wait is bounded whatever the others do, and their number grows with the
/// root of time at most. The bound is kept to within the number of workers and event loops, each of which may be
/// between two steps.
///
/// Any thread may call.
public final class ScanLimiter {

    /// Rounds of others that pass before one more is let in, for each time that the bound is exceeded.
    private static final int ROUNDS_FOR_A_PASS = 32;

    // Constant.
    private final int most;

    // Guarded by this.
    private int count;
    private long rounds;

    /// @param most that are under way while others wait to be begun
    public ScanLimiter(int most) {
        this.most = most;
    }

    /// A range was begun, and its first round with it.
    public synchronized void begun() {
        rounds = 0;
        count++;
    }

    /// Another round was asked for.
    public synchronized void resumed() {
        count++;
    }

    /// The event loop has what came of a round.
    public synchronized void ended() {
        rounds++;
        count--;
        if (!isFull()) {
            notifyAll();
        }
    }

    synchronized boolean isFull() {
        return count >= most && rounds * most < (long) ROUNDS_FOR_A_PASS * count;
    }

    /// Waits for room, or for something else to do.
    ///
    /// @param work is asked anew after each [#wake]
    synchronized void awaitRoom(BooleanSupplier work) {
        while (isFull() && !work.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException _) {
                // No code of ours interrupts a worker; its end is `closed`.
            }
        }
    }

    /// There is something else to do.
    synchronized void wake() {
        notifyAll();
    }
}
