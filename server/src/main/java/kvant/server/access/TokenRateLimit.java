package kvant.server.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// So many requests a second, and as many at once: the generic cell rate algorithm (ITU-T I.371), which is one time.
/// That is when the last admitted request would have come if all had come evenly; whoever is ahead of it by a second is
/// turned away.
///
/// Any thread may call. All connections of a token share one.
public final class TokenRateLimit {

    private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1);

    // Constant.
    private final LongSupplier nanoTime;
    private final long intervalNanos;

    // Atomic.
    private final AtomicLong evenNanos;

    /// @param perSecond at least 1
    TokenRateLimit(int perSecond, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.intervalNanos = BURST_NANOS / perSecond;
        this.evenNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /// Whether one more request may come now; it counts if so.
    public boolean admits() {
        while (true) {
            long now = nanoTime.getAsLong();
            long before = evenNanos.get();
            long next = (before - now > 0 ? before : now) + intervalNanos;
            if (next - now > BURST_NANOS) {
                return false;
            }
            if (evenNanos.compareAndSet(before, next)) {
                return true;
            }
        }
    }
}
