package kvant.server.admit;

import org.jspecify.annotations.Nullable;

/// What one event loop lets in when its limit adapts: reads that left the loop and writes have a limit each,
/// because their times have nothing in common.
///
/// Owned by the loop. What is answered within the call that submits it takes no place.
public final class LoopAdmission {

    // Constant.
    private final @Nullable GradientLimit reads;
    private final @Nullable GradientLimit writes;

    // Owned by the loop.
    private int runningReads;
    private int runningWrites;
    private volatile long refused; // written by the loop alone

    public LoopAdmission(boolean adaptive, int most) {
        reads = adaptive ? new GradientLimit(most) : null;
        writes = adaptive ? new GradientLimit(most) : null;
    }

    public boolean admits(RequestKind kind) {
        boolean admitted = switch (kind) {
            case READ -> reads == null || reads.allows(runningReads);
            case WRITE, BATCH -> writes == null || writes.allows(runningWrites);
            case RANGE, OTHER -> true; // no two of them take alike
        };
        if (!admitted) {
            refused = refused + 1;
        }
        return admitted;
    }

    /// The call goes on after it was submitted.
    ///
    /// @return whether its end is to be told
    public boolean began(RequestKind kind) {
        if (reads == null) {
            return false;
        }
        return switch (kind) {
            case READ -> ++runningReads > 0;
            case WRITE, BATCH -> ++runningWrites > 0;
            case RANGE, OTHER -> false;
        };
    }

    /// A call whose beginning was told has ended.
    public void ended(RequestKind kind, long queuedNanos) {
        long nanos = System.nanoTime() - queuedNanos;
        if (kind == RequestKind.READ) {
            if (reads != null) {
                reads.sample(nanos, runningReads--);
            }
        } else if (writes != null) {
            writes.sample(nanos, runningWrites--);
        }
    }

    /// Calls that were not admitted; any thread may ask.
    public long refused() {
        return refused;
    }
}
