package kvant.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.server.admit.Claim;
import kvant.server.http.contract.HttpLimits;

/// Watches the body that a connection is receiving: it has a lowest rate and a latest end, because
/// whoever sends most of a large body and then a byte now and then would keep its memory for as long as
/// he likes. The lowest rate grows with the memory that the body holds. A body that is slow by a stricter
/// measure goes on, but goes first where another needs its memory.
///
/// Owned by the connection's event loop; looked at with each tick.
final class BodyWatch {

    /// How long a rate is measured before a body is slow.
    private static final Duration RECENT = Duration.ofSeconds(1);

    /// Where memory is needed, a body is to fill what it holds in this part of the usual time.
    private static final int STRICTER = 16;

    // Constant.
    private final LoopClock clock;
    private final HttpLimits limits;
    private final Claim claim;

    // Of the body being received.
    private boolean watching;
    private long watched;
    private long beganTicks;
    private long windowTicks;
    private long windowBytes;
    private long recentTicks;
    private long recentBytes;

    /// @param claim what the body holds
    BodyWatch(LoopClock clock, HttpLimits limits, Claim claim) {
        this.clock = clock;
        this.limits = limits;
        this.claim = claim;
    }

    /// No body is awaited, or the client need not send it yet.
    void rest() {
        watching = false;
    }

    /// @param request which one it is of: another one has a time of its own
    /// @param receivedBytes all that the connection has received
    boolean isTooSlow(long request, long receivedBytes) {
        if (!watching || request != watched) {
            watching = true;
            watched = request;
            beganTicks = clock.ticks();
            beginWindow(receivedBytes);
            beginRecent(receivedBytes);
            return false;
        }
        if (clock.isOver(recentTicks, RECENT)) {
            lookAtRecent(receivedBytes);
        }
        if (clock.isOver(beganTicks, limits.bodyTimeout())) {
            return true;
        }
        if (!clock.isOver(windowTicks, limits.stallTimeout())) {
            return false;
        }
        boolean slow = receivedBytes - windowBytes
                < leastBytes(
                        limits.stallTimeout().toNanos(),
                        limits.bodyFillTimeout().toNanos());
        beginWindow(receivedBytes);
        return slow;
    }

    private void lookAtRecent(long receivedBytes) {
        long nanos = (clock.ticks() - recentTicks) * clock.tickNanos();
        long fillNanos = Math.max(1, limits.bodyFillTimeout().toNanos() / STRICTER);
        if (receivedBytes - recentBytes < leastBytes(nanos, fillNanos)) {
            claim.slow();
        } else {
            claim.getsOn();
        }
        beginRecent(receivedBytes);
    }

    /// What has to arrive in a time: the usual least, and the part of what is held that the time is of
    /// the time to fill it.
    private double leastBytes(long nanos, long fillNanos) {
        double least = (double) limits.minBodyBytesPerSecond() * nanos / TimeUnit.SECONDS.toNanos(1);
        return least + (double) claim.bytes() * nanos / fillNanos;
    }

    private void beginWindow(long receivedBytes) {
        windowTicks = clock.ticks();
        windowBytes = receivedBytes;
    }

    private void beginRecent(long receivedBytes) {
        recentTicks = clock.ticks();
        recentBytes = receivedBytes;
    }
}
