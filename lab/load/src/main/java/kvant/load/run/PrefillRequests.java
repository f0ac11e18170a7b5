package kvant.load.run;

import kvant.load.loop.Requests;
import kvant.load.workload.Operation;
import kvant.load.workload.RequestSource;

/// Puts of the keys of one thread, each until it was acknowledged: what a prefill sends.
///
/// Owned by its loop; `done` may be read by another thread.
final class PrefillRequests implements Requests {

    // Constant.
    private final RequestSource source;
    private final int mostBytes;
    private final long keys;
    private final int threads;

    // Owned by the loop.
    private final long[] again;
    private int agains;
    private long next;
    private long out;

    // Volatile.
    private volatile long done;
    private volatile long failures;

    /// @param mostInFlight of the thread: what can fail at once
    PrefillRequests(RequestSource source, long keys, int thread, int threads, int mostInFlight) {
        this.again = new long[mostInFlight];
        this.source = source;
        this.mostBytes = source.mostBytes();
        this.keys = keys;
        this.threads = threads;
        this.next = thread;
    }

    @Override
    public boolean draw() {
        if (agains > 0) {
            source.drawPut(again[--agains]);
        } else if (next < keys) {
            source.drawPut(next);
            next += threads;
        } else {
            return false;
        }
        out++;
        return true;
    }

    @Override
    public void drawPut(long key) {
        source.drawPut(key);
    }

    @Override
    public Operation operation() {
        return source.operation();
    }

    @Override
    public long key() {
        return source.key();
    }

    @Override
    public boolean isMissing() {
        return false;
    }

    @Override
    public boolean isNew() {
        return false; // nobody asks for it before all are there
    }

    @Override
    public int write(byte[] into, int at) {
        return source.write(into, at);
    }

    @Override
    public int mostBytes() {
        return mostBytes;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    public void settled(boolean isNew, long key, boolean good) {
        out--;
        if (good) {
            done = done + 1;
        } else {
            failures = failures + 1;
            again[agains++] = key;
        }
    }

    @Override
    public boolean isExhausted() {
        return next >= keys && agains == 0 && out == 0;
    }

    long done() {
        return done;
    }

    long failures() {
        return failures;
    }
}
