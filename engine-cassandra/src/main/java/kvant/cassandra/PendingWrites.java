package kvant.cassandra;

import java.time.Duration;

/// The writes that were accepted and have no outcome yet: bounded, and waited for by a close. Any thread may call.
final class PendingWrites {

    /// Most bytes of writes without an outcome; more are refused as busy.
    static final long MAX_BYTES = 64L << 20;

    /// What became of a write that asked to come in.
    enum Entry {
        ACCEPTED,
        FULL,
        CLOSED
    }

    // Guarded by this.
    private long bytes;
    private int count;
    private boolean closed;

    /// One write is always let in, however large.
    synchronized Entry enter(long writeBytes) {
        if (closed) {
            return Entry.CLOSED;
        }
        if (count > 0 && bytes + writeBytes > MAX_BYTES) {
            return Entry.FULL;
        }
        bytes += writeBytes;
        count++;
        return Entry.ACCEPTED;
    }

    synchronized void leave(long writeBytes) {
        bytes -= writeBytes;
        count--;
        if (count == 0) {
            notifyAll();
        }
    }

    synchronized long bytes() {
        return bytes;
    }

    /// Lets nobody in any more and waits for those who are. Each of them has a time limit, and so has this.
    ///
    /// @return how many are still without an outcome
    synchronized int close(Duration limit) {
        closed = true;
        boolean interrupted = false;
        long endNanos = System.nanoTime() + limit.toNanos();
        for (long left = limit.toMillis(); count > 0 && left > 0; left = (endNanos - System.nanoTime()) / 1_000_000) {
            try {
                wait(left);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return count;
    }
}
