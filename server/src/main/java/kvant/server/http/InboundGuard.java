package kvant.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;

/// What a connection holds of what its client has sent, and whether the client gets on with it: one that does not is
/// evicted first where another needs the memory.
///
/// A body has a lowest rate and a latest end, because a client that sends most of a large body and then a byte now and
/// then would keep its memory for as long as it likes. The lowest rate grows with the memory that the body holds. A
/// body that is slow by a stricter measure goes on, but is evicted first.
///
/// Owned by the connection's event loop, which looks with each tick; the call to evict may come from any thread.
final class InboundGuard {

    /// How long a rate is measured before a body is slow.
    private static final Duration RECENT = Duration.ofSeconds(1);

    /// Where memory is needed, a body is to fill what it holds in this part of the usual time.
    private static final int STRICTER = 16;

    // Constant.
    private final LoopClock clock;
    private final HttpLimits limits;
    private final MemoryReservation unread;
    private final MemoryReservation body;

    // Of the body being received.
    private boolean watching;
    private long watched;
    private long beganTicks;
    private long windowTicks;
    private long windowBytes;
    private long recentTicks;
    private long recentBytes;

    /// @param onEvicted called by any thread: another was given what it holds
    InboundGuard(LoopClock clock, HttpLimits limits, MemoryBudget unread, MemoryBudget bodies, Runnable onEvicted) {
        this.clock = clock;
        this.limits = limits;
        this.unread = new MemoryReservation(unread, onEvicted);
        this.body = new MemoryReservation(bodies, onEvicted);
    }

    /// For what is held unread.
    MemoryReservation unread() {
        return unread;
    }

    /// For the request that is being received.
    MemoryReservation body() {
        return body;
    }

    /// Whether its memory is to be released, which may have happened since the call to evict.
    boolean isEvicted() {
        return unread.isEvicted() || body.isEvicted();
    }

    /// What has waited unread for a tick is slow, whatever it waits for.
    ///
    /// @param sinceTicks since when nothing of it was read
    void lookAtUnread(long sinceTicks) {
        unread.slowIf(clock.ticks() - sinceTicks > 1);
    }

    /// @param awaited whether the client is to send a body now
    /// @param request the number of the request that is being read: another one has a time of its own
    /// @param receivedBytes all that the connection has received
    /// @return whether a body is to be broken off
    boolean isBodyTooSlow(boolean awaited, long request, long receivedBytes) {
        if (!awaited || !watching || request != watched) {
            watching = awaited;
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
        body.slowIf(receivedBytes - recentBytes < leastBytes(nanos, fillNanos));
        beginRecent(receivedBytes);
    }

    /// What has to arrive in a time: the usual least, and the part of what is held that the time is of
    /// the time to fill it.
    private double leastBytes(long nanos, long fillNanos) {
        double least = (double) limits.minBodyBytesPerSecond() * nanos / TimeUnit.SECONDS.toNanos(1);
        return least + (double) body.bytes() * nanos / fillNanos;
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
