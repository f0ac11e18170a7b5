package kvant.server.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.server.http.contract.HttpLimits;

/// Coarse monotonic time of one event loop, for deadlines. Owned by that loop.
final class LoopClock {

    /// The interval of deadline checks, unless a timeout is shorter.
    private static final Duration TICK = Duration.ofMillis(500);

    private static final int TICKS_PER_SHORTEST_TIMEOUT = 4;

    final long tickNanos;
    long ticks; // the present

    LoopClock(HttpLimits limits) {
        this.tickNanos = tickNanos(limits);
    }

    /// Bytes that are in the socket already get two ticks to be read before an idle connection is closed.
    long drainDelayNanos() {
        return Math.min(2 * tickNanos, TICK.toNanos() / 10);
    }

    void tick() {
        ticks++;
    }

    /// Whether more than this time has passed since then.
    boolean isOver(long thenTicks, Duration time) {
        return (ticks - thenTicks - 1) * tickNanos >= time.toNanos();
    }

    private static long tickNanos(HttpLimits limits) {
        long shortest = TICK.toNanos() * TICKS_PER_SHORTEST_TIMEOUT;
        for (Duration each :
                List.of(limits.headTimeout(), limits.stallTimeout(), limits.idleTimeout(), limits.lingerTimeout())) {
            shortest = Math.min(shortest, each.toNanos());
        }
        return Math.max(shortest / TICKS_PER_SHORTEST_TIMEOUT, TimeUnit.MILLISECONDS.toNanos(1));
    }
}
