package kvant.server.service;

import org.jspecify.annotations.Nullable;

/// What one event loop lets in when its limit adapts: reads that left the loop and writes have a limit each,
/// because their times have nothing in common.
///
/// Owned by the loop. What is answered within the call that submits it takes no place.
final class LoopAdmission {

    // Constant.
    private final @Nullable GradientLimit reads;
    private final @Nullable GradientLimit writes;

    // Owned by the loop.
    private int runningReads;
    private int runningWrites;
    private volatile long refused; // written by the loop alone

    LoopAdmission(boolean adaptive, int most) {
        reads = adaptive ? new GradientLimit(most) : null;
        writes = adaptive ? new GradientLimit(most) : null;
    }

    boolean admits(Request request) {
        boolean admitted = switch (request) {
            case Request.Get _ -> reads == null || reads.allows(runningReads);
            case Request.Put _, Request.Delete _, Request.Batch _ -> writes == null || writes.allows(runningWrites);
            case Request.Scan _, Request.Probe _, Request.Page _ -> true; // no two of them take alike
        };
        if (!admitted) {
            refused = refused + 1;
        }
        return admitted;
    }

    /// The call goes on after it was submitted.
    ///
    /// @return whether its end is to be told
    boolean began(Request request) {
        if (reads == null) {
            return false;
        }
        return switch (request) {
            case Request.Get _ -> ++runningReads > 0;
            case Request.Put _, Request.Delete _, Request.Batch _ -> ++runningWrites > 0;
            case Request.Scan _, Request.Probe _, Request.Page _ -> false;
        };
    }

    /// A call whose beginning was told has ended.
    void ended(Request request, long queuedNanos) {
        long nanos = System.nanoTime() - queuedNanos;
        if (request instanceof Request.Get) {
            if (reads != null) {
                reads.sample(nanos, runningReads--);
            }
        } else if (writes != null) {
            writes.sample(nanos, runningWrites--);
        }
    }

    /// Calls that were not admitted; any thread may ask.
    long refused() {
        return refused;
    }
}
