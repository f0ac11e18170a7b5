package kvant.server.service;

import java.util.function.BooleanSupplier;

/// Counts ranges whose next batch is being made, or is on its way to their event loop, and keeps workers from
/// beginning more of them than are finished.
///
/// A range that waits for its client does not count, so that clients that do not read take no places. The bound is
/// kept to within the number of workers, each of which may find room at the same time.
///
/// Any thread may call.
final class RangesUnderWay {

    // Constant.
    private final int most;

    // Guarded by this.
    private int count;

    /// @param most that are under way while others wait to be begun
    RangesUnderWay(int most) {
        this.most = most;
    }

    /// A round was asked for.
    synchronized void began() {
        count++;
    }

    /// Its event loop has what came of it.
    synchronized void ended() {
        count--;
        notifyAll();
    }

    synchronized boolean isFull() {
        return count >= most;
    }

    synchronized int count() {
        return count;
    }

    /// Waits for room, or for something else to do.
    ///
    /// @param work is asked anew after each [#wake]
    synchronized void awaitRoom(BooleanSupplier work) {
        while (count >= most && !work.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException _) {
                // Nobody of ours interrupts a worker; its end is `closed`.
            }
        }
    }

    /// There is something else to do.
    synchronized void wake() {
        notifyAll();
    }
}
