package kvant.client;

import java.util.concurrent.atomic.AtomicLong;

/// Bounds tries again over all calls of a client: each call brings a share of one, and a burst may be saved up. A node
/// that refuses everything is not asked several times as often because of that. Any thread.
final class RetryBudget {

    private static final long ONE = 1_000_000;

    private final long share;
    private final long most;
    private final AtomicLong saved;

    RetryBudget(double share, int burst) {
        this.share = Math.round(share * ONE);
        this.most = burst * ONE + this.share;
        this.saved = new AtomicLong(burst * ONE);
    }

    void countCall() {
        saved.accumulateAndGet(share, (now, more) -> Math.min(most, now + more));
    }

    /// Whether there may be one more try; takes it.
    boolean take() {
        return saved.getAndUpdate(now -> now >= ONE ? now - ONE : now) >= ONE;
    }
}
