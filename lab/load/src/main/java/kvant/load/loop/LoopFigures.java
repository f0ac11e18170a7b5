package kvant.load.loop;

import kvant.load.record.PhaseRecorder;
import kvant.load.record.SlowestHeap;

/// The results of one loop.
///
/// Written by the loop. Recorders, `RequestCounts` and volatile fields may be read at any time, other fields only after
/// the loop has ended.
public final class LoopFigures {

    public final PhaseRecorder warmup;
    public final PhaseRecorder measured;
    /// The slowest requests, if the plan asks for them.
    public final SlowestHeap slow;

    // Volatile.
    volatile int openConnections;
    volatile long connects;
    volatile String lastTrouble = "";

    // Owned by the loop.
    public long lastAnswerNanos;
    public long reconnects;
    public long refusedConnects;
    /// Connections that were given up because they sent bytes without a request.
    public long strays;
    public long cpuNanos;
    long waitedNanos;
    long wallNanos;

    LoopFigures(boolean closed, boolean byOperation, SlowestHeap slow) {
        this.slow = slow;
        warmup = new PhaseRecorder(closed, false);
        measured = new PhaseRecorder(closed, byOperation);
    }

    /// Share of time in which the thread ran, or waited for a core.
    public double busy() {
        return (double) (cpuNanos + waitedNanos) / Math.max(1, wallNanos);
    }
}
