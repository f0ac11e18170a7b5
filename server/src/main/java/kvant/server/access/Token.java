package kvant.server.access;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A token as the node knows it: never its secret.
///
/// @param name for people: what audit lines call it
/// @param rate null for any
public record Token(
        String name,
        Set<Scope> scopes,
        byte[] hash,
        @Nullable TokenRateLimit rate) {

    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /// Counts one more request; false when it would exceed the token's rate.
    public boolean admits() {
        return rate == null || rate.admits();
    }

    /// A bound of requests per second, with a burst of one second: the generic cell rate algorithm (ITU-T I.371). Its
    /// state is one time, at which the last admitted request would have come if all had come evenly. A request is
    /// refused when that time is a second ahead.
    ///
    /// Any thread may call. All connections of a token share one.
    public static final class TokenRateLimit {

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

        /// Counts one more request if it is within the rate; else returns false.
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
}
