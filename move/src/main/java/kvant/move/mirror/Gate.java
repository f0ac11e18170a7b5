package kvant.move.mirror;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Counts the clients' writes that have no outcome, bounds them, and can hold new ones back until there are none: the
/// barrier of a switch-over. Any thread may call; only [#shut] and [#close] wait.
///
///     OPEN --shut--> SHUT (new ones are parked) --open--> OPEN (after the parked ones, in their order)
final class Gate {

    /// A write that wants in.
    interface Entrant {

        long bytes();

        /// It is in; called once, must not block.
        void start();
    }

    /// What became of one that wanted in.
    enum Entry {
        IN,
        PARKED,
        FULL,
        CLOSED
    }

    // Constant.
    private final long maxBytes;

    // Guarded by this.
    private final Deque<Entrant> parked = new ArrayDeque<>();
    private long bytes;
    private int inside;
    private boolean shut;
    private boolean closed;

    /// @param maxBytes most bytes of writes without an outcome; one write is always let in
    Gate(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// The caller starts a write that is in; a parked one is started when the gate opens.
    synchronized Entry enter(Entrant write) {
        if (closed) {
            return Entry.CLOSED;
        }
        if (inside + parked.size() > 0 && bytes + write.bytes() > maxBytes) {
            return Entry.FULL;
        }
        bytes += write.bytes();
        if (shut) {
            parked.add(write);
            return Entry.PARKED;
        }
        inside++;
        return Entry.IN;
    }

    synchronized void leave(long writeBytes) {
        bytes -= writeBytes;
        inside--;
        if (inside == 0) {
            notifyAll();
        }
    }

    synchronized long bytes() {
        return bytes;
    }

    /// Parks new writes, and waits for those inside.
    ///
    /// @return whether all have left in time; whoever shuts the gate opens it again, either way
    synchronized boolean shut(Duration limit) {
        shut = true;
        return awaitEmpty(limit);
    }

    /// Starts what was parked, in its order, and then lets new ones in.
    void open() {
        for (Entrant next = nextParked(); next != null; next = nextParked()) {
            next.start();
        }
    }

    private synchronized @Nullable Entrant nextParked() {
        Entrant next = parked.poll();
        if (next == null) {
            shut = false;
        } else {
            inside++;
        }
        return next;
    }

    /// Lets nobody in any more, and waits for those who are.
    ///
    /// @return how many have not left in time
    synchronized int close(Duration limit) {
        closed = true;
        awaitEmpty(limit);
        return inside + parked.size();
    }

    private synchronized boolean awaitEmpty(Duration limit) {
        boolean interrupted = false;
        long endNanos = System.nanoTime() + limit.toNanos();
        for (long left = limit.toMillis(); inside > 0 && left > 0; left = (endNanos - System.nanoTime()) / 1_000_000) {
            try {
                wait(left);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return inside == 0;
    }
}
