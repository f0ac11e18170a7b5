package kvant.rocksdb;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import kvant.engine.EngineException;

/// Keeps native memory alive while threads use it: freeing it under a reader would crash the process.
///
///     int ticket = inUse.enter();      // throws Closed once close has begun
///     try { native call } finally { inUse.exit(ticket); }
///
/// Readers count themselves in and out on one of several counters, each on cache lines of its own, so that readers on
/// different cores do not contend for one word, as they would for the state of a `StampedLock` or a `Phaser`. Two
/// uncontended atomic adds cost about 10 ns, compared with a native get of about 1,000 ns.
///
/// Why it is safe: a reader adds, then reads `closed`; the closer sets `closed`, then reads the counters. All of it
/// is sequentially consistent, so either the reader sees the flag or the closer sees the reader. A reader that sees
/// the flag leaves without touching anything.
final class InUse {

    private static final int STRIPES = 32;

    /// Distance between counters: two cache lines, because processors fetch them in pairs.
    private static final int SPACING = 16;

    /// The closer's pause between two checks of the counters.
    private static final long LOOK_AGAIN_NANOS = 50_000;

    // Atomic.
    private final AtomicLongArray counters = new AtomicLongArray((STRIPES + 1) * SPACING);
    private volatile boolean closed;

    /// @return ticket for [#exit]
    /// @throws EngineException.Closed once [#close] has begun
    int enter() {
        int stripe = (((int) Thread.currentThread().threadId() & (STRIPES - 1)) + 1) * SPACING;
        counters.getAndIncrement(stripe);
        if (closed) {
            counters.getAndDecrement(stripe);
            throw new EngineException.Closed();
        }
        return stripe;
    }

    void exit(int ticket) {
        counters.getAndDecrement(ticket);
    }

    boolean isClosed() {
        return closed;
    }

    /// Refuses further readers and waits until all have left. The caller must not be inside.
    void close() {
        closed = true;
        for (int stripe = 1; stripe <= STRIPES; stripe++) {
            while (counters.get(stripe * SPACING) != 0) {
                LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
            }
        }
    }
}
