package kvant.lab.load;

import kvant.lab.record.SlowKeeper;
import kvant.lab.record.Tape;

/// What one loop leaves behind.
///
/// Written by the loop; tapes and [Tally] may be read at any time, the rest after the loop has ended, and what is
/// volatile at any time.
final class LoopFigures {

    final Tape warmup;
    final Tape measured;
    final SlowKeeper slow;

    // Volatile.
    volatile int openConnections;
    volatile String lastTrouble = "";

    // Owned by the loop.
    long lastAnswerNanos;
    long reconnects;
    long refusedConnects;
    long strays;
    long cpuNanos;
    long waitedNanos;
    long wallNanos;

    LoopFigures(boolean closed, boolean byOperation, SlowKeeper slow) {
        this.slow = slow;
        warmup = new Tape(closed, false);
        measured = new Tape(closed, byOperation);
    }
}
