package kvant.engine.kit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The writes that were accepted and have no outcome yet: bounded, waited for by a close, and held back by a pause
/// until there are none. Any thread may call; only [#pause] and [#close] wait.
///
///     OPEN --pause--> PAUSED (new ones are held) --resume--> OPEN (after the held ones, in their order)
public final class InFlightWrites {

    /// A write to be accepted.
    public interface Entrant {

        long bytes();

        /// Called once, by the caller of enter or by [#resume]; must not block. If it throws, it has left all the
        /// same.
        void start();
    }

    /// Outcome of an enter.
    public enum Entry {
        /// The caller starts it.
        ACCEPTED,
        /// To be started when the pause ends.
        HELD,
        FULL,
        CLOSED
    }

    private static final Logger LOGGER = System.getLogger(InFlightWrites.class.getName());

    // Constant.
    private final long maxBytes;

    // Guarded by this.
    private final Deque<Entrant> held = new ArrayDeque<>();
    private long bytes;
    private int started;
    private boolean paused;
    private boolean closed;

    /// @param maxBytes most bytes of writes without an outcome; one write is always accepted, however large
    public InFlightWrites(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    public synchronized Entry enter(Entrant write) {
        if (closed) {
            return Entry.CLOSED;
        }
        if (started + held.size() > 0 && bytes + write.bytes() > maxBytes) {
            return Entry.FULL;
        }
        bytes += write.bytes();
        if (paused) {
            held.add(write);
            return Entry.HELD;
        }
        started++;
        return Entry.ACCEPTED;
    }

    /// Counts the outcome of a started write.
    public synchronized void leave(long writeBytes) {
        bytes -= writeBytes;
        started--;
        if (started == 0) {
            notifyAll();
        }
    }

    public synchronized long bytes() {
        return bytes;
    }

    /// Holds new writes back, and waits for the started ones.
    ///
    /// @return whether all have completed in time; the caller must [#resume] either way
    public synchronized boolean pause(Duration limit) {
        paused = true;
        return awaitNone(limit);
    }

    /// Starts the held writes, in their order, and then admits new ones.
    public void resume() {
        for (Entrant next = nextHeld(); next != null; next = nextHeld()) {
            try {
                next.start();
            } catch (Throwable e) { // other writes wait
                LOGGER.log(Level.ERROR, "a write that was held could not be started", e);
            }
        }
    }

    private synchronized @Nullable Entrant nextHeld() {
        Entrant next = held.poll();
        if (next == null) {
            paused = false;
        } else {
            started++;
        }
        return next;
    }

    /// Refuses new writes, and waits for the started ones. Each of them has a time limit, and so has this.
    ///
    /// @return number of writes without an outcome
    public synchronized int close(Duration limit) {
        closed = true;
        awaitNone(limit);
        return started + held.size();
    }

    private synchronized boolean awaitNone(Duration limit) {
        boolean interrupted = false;
        long endNanos = System.nanoTime() + limit.toNanos();
        for (long left = limit.toMillis(); started > 0 && left > 0; left = (endNanos - System.nanoTime()) / 1_000_000) {
            try {
                wait(left);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return started == 0;
    }
}
