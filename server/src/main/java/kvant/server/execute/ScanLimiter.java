package kvant.server.execute;

import java.util.function.BooleanSupplier;

/// A bound on ranges whose next batch is being made, or is on its way to their event loop: workers start no more of
/// them than are finished.
///
/// A range that waits for its client does not count, so that clients that do not read take no places. Long ranges do
/// not shut out short ones: while they keep all places, one more is admitted after some rounds, and the more there
/// are, the more rounds it takes. So the wait of a newcomer is bounded in any case, and the number of ranges grows at
/// most with the root of time. The bound is kept to within the number of workers and event loops, each of which may
/// be between two steps.
///
/// Any thread may call.
public final class ScanLimiter {

    /// Rounds of other ranges before one more is admitted, for each time that the bound is exceeded.
    private static final int ROUNDS_FOR_A_PASS = 32;

    // Constant.
    private final int most;

    // Guarded by this.
    private int count;
    private long rounds;

    /// @param most ranges under way while others wait to begin
    public ScanLimiter(int most) {
        this.most = most;
    }

    /// Counts a new range with its first round.
    public synchronized void begun() {
        rounds = 0;
        count++;
    }

    /// Counts another requested round.
    public synchronized void resumed() {
        count++;
    }

    /// Ends a round whose outcome has reached its event loop.
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

    /// Waits for room, or for other work.
    ///
    /// @param work checked again after each [#wake]
    synchronized void awaitRoom(BooleanSupplier work) {
        while (isFull() && !work.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException _) {
                // No code of ours interrupts a worker; its end is `closed`.
            }
        }
    }

    /// Wakes the waiting workers for other work.
    synchronized void wake() {
        notifyAll();
    }
}
