package kvant.server.admit;

import org.jspecify.annotations.Nullable;

/// The admission control of one event loop with an adaptive limit. Reads that left the loop and writes have a limit
/// each, because their durations are unrelated.
///
/// Owned by the loop. A call that is answered within its submission takes no place.
public final class LoopAdmission {

    // Constant.
    private final @Nullable GradientLimit reads;
    private final @Nullable GradientLimit writes;

    private volatile long refused; // written by the loop alone

    public LoopAdmission(boolean adaptive, int most) {
        reads = adaptive ? new GradientLimit(most) : null;
        writes = adaptive ? new GradientLimit(most) : null;
    }

    public boolean admits(RequestKind kind) {
        GradientLimit limit = limitOf(kind);
        boolean admitted = limit == null || limit.allows(limit.running);
        if (!admitted) {
            refused = refused + 1;
        }
        return admitted;
    }

    /// Counts a call that continues after its submission.
    ///
    /// @return whether its end must be reported by [#ended]
    public boolean began(RequestKind kind) {
        GradientLimit limit = limitOf(kind);
        if (limit == null) {
            return false;
        }
        limit.running++;
        return true;
    }

    /// Counts the end of a call for which [#began] returned true.
    public void ended(RequestKind kind, long queuedNanos) {
        GradientLimit limit = limitOf(kind);
        if (limit != null) {
            limit.sample(System.nanoTime() - queuedNanos, limit.running--);
        }
    }

    private @Nullable GradientLimit limitOf(RequestKind kind) {
        return switch (kind) {
            case READ -> reads;
            case WRITE, BATCH -> writes;
            case RANGE, OTHER -> null; // no two of them take alike
        };
    }

    /// Calls that were not admitted; any thread may ask.
    public long refused() {
        return refused;
    }

    /// An adaptive limit of concurrent calls, derived from their durations: it falls while they get longer than
    /// usual, and rises while they do not (a gradient algorithm like TCP Vegas, as in Netflix' concurrency limits).
    ///
    /// Owned by one event loop; a limit counts that loop's calls.
    static final class GradientLimit {

        static final int LEAST = 4;
        private static final int INITIAL = 64;

        /// Ratio of a call's duration to the usual one from which the limit falls.
        private static final double TOLERANCE = 1.5;

        private static final double LARGEST_CUT = 0.5;

        /// Weight of a new value when the limit moves.
        private static final double SMOOTHING = 0.2;

        /// Calls over which the short-term time is averaged before the limit moves.
        private static final int WINDOW = 16;

        /// Number of windows over which the usual time is averaged.
        private static final double LONG_WINDOWS = 100;

        /// Additional decay of the usual time when it is found to be too long.
        private static final double RECOVERY = 0.95;

        private final int most;
        private int running; // calls that count
        private double limit;
        private double usualNanos;
        private long windowNanos;
        private int windowCalls;
        private int windowMost;

        GradientLimit(int most) {
            this.most = most;
            this.limit = Math.min(INITIAL, most);
        }

        boolean allows(int running) {
            return running < (int) limit;
        }

        int current() {
            return (int) limit;
        }

        /// Records the duration of a call that has ended.
        ///
        /// @param running calls that were running, this one included
        void sample(long nanos, int running) {
            windowNanos += Math.max(1, nanos);
            windowMost = Math.max(windowMost, running);
            if (++windowCalls == WINDOW) {
                update((double) windowNanos / WINDOW, windowMost);
                windowNanos = 0;
                windowCalls = 0;
                windowMost = 0;
            }
        }

        private void update(double shortNanos, int running) {
            usualNanos = usualNanos == 0 ? shortNanos : usualNanos + (shortNanos - usualNanos) / LONG_WINDOWS;
            if (usualNanos > 2 * shortNanos) {
                usualNanos *= RECOVERY;
            }
            if (running < limit / 2) {
                return; // the limit is not what holds them back: nothing is learnt about it
            }
            double gradient = Math.clamp(TOLERANCE * usualNanos / shortNanos, LARGEST_CUT, 1.0);
            double wanted = limit * gradient + Math.sqrt(limit);
            limit = Math.clamp(limit * (1 - SMOOTHING) + wanted * SMOOTHING, Math.min(LEAST, most), most);
        }
    }
}
