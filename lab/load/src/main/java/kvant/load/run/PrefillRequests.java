package kvant.load.run;

import kvant.load.plan.LoadPlan;
import kvant.load.workload.RequestForms;
import kvant.load.workload.RequestSource;

/// The requests of a prefill: puts of the keys of one thread, each repeated until it is acknowledged.
///
/// Owned by its loop; `done` may be read by another thread.
final class PrefillRequests extends RequestSource {

    // Constant.
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

    PrefillRequests(LoadPlan plan, RequestForms forms, long keys, int thread) {
        super(plan.workload(), forms, 0, thread, plan.clients().threads(), plan.seed());
        this.again = new long[plan.clients().connections() * plan.clients().depth()]; // maximum that can fail at once
        this.keys = keys;
        this.threads = plan.clients().threads();
        this.next = thread;
    }

    @Override
    public boolean draw() {
        if (agains > 0) {
            drawPut(again[--agains]);
        } else if (next < keys) {
            drawPut(next);
            next += threads;
        } else {
            return false;
        }
        out++;
        return true;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // single writer
    public void settled(boolean wasNew, long key, boolean good) {
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
