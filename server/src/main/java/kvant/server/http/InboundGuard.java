package kvant.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;

/// The memory held by a client's input, and a check of the client's progress: a client without progress is evicted
/// first when another needs the memory.
///
/// A body has a lowest rate and a latest end. Otherwise a client could send most of a large body, then a byte now and
/// then, and keep the memory for as long as it likes. The lowest rate grows with the memory that the body holds. A
/// body that is slow only by a stricter measure continues, but is evicted first.
///
/// Owned by the connection's event loop, which checks at each tick; the call to evict may come from any thread.
final class InboundGuard {

    /// The shortest period over which a rate is measured before a body counts as slow.
    private static final Duration RECENT = Duration.ofSeconds(1);

    /// Divisor for the stricter measure: a body is expected to fill its memory in this part of the usual time.
    private static final int STRICTER = 16;

    // Constant.
    private final LoopClock clock;
    private final HttpLimits limits;
    final MemoryReservation unread; // for input that waits
    final MemoryReservation body; // for the request that is being received

    // Of the body being received.
    private boolean watching;
    private long watched;
    private long beganTicks;
    private long windowTicks;
    private long windowBytes;
    private long recentTicks;
    private long recentBytes;

    /// @param onEvicted called by any thread when the memory held here was given to another connection
    InboundGuard(LoopClock clock, HttpLimits limits, MemoryBudget unread, MemoryBudget bodies, Runnable onEvicted) {
        this.clock = clock;
        this.limits = limits;
        this.unread = new MemoryReservation(unread, onEvicted);
        this.body = new MemoryReservation(bodies, onEvicted);
    }

    /// Whether its memory must be released, which may have happened since the call to evict.
    boolean isEvicted() {
        return unread.isEvicted() || body.isEvicted();
    }

    /// Marks input as slow that has been held unread for longer than a tick, for whatever reason.
    ///
    /// @param sinceTicks time of the last read of it
    void lookAtUnread(long sinceTicks) {
        unread.slowIf(clock.ticks - sinceTicks > 1);
    }

    /// @param awaited whether the client is to send a body now
    /// @param request the number of the request that is being read: another one has a time of its own
    /// @param receivedBytes all that the connection has received
    /// @return whether a body is to be broken off
    boolean isBodyTooSlow(boolean awaited, long request, long receivedBytes) {
        if (!awaited || !watching || request != watched) {
            watching = awaited;
            watched = request;
            beganTicks = clock.ticks;
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
        long nanos = (clock.ticks - recentTicks) * clock.tickNanos;
        long fillNanos = Math.max(1, limits.bodyFillTimeout().toNanos() / STRICTER);
        body.slowIf(receivedBytes - recentBytes < leastBytes(nanos, fillNanos));
        beginRecent(receivedBytes);
    }

    /// The bytes that must arrive in a time: the usual minimum, plus the held bytes multiplied by that time's share
    /// of the fill time.
    private double leastBytes(long nanos, long fillNanos) {
        double least = (double) limits.minBodyBytesPerSecond() * nanos / TimeUnit.SECONDS.toNanos(1);
        return least + (double) body.bytes() * nanos / fillNanos;
    }

    private void beginWindow(long receivedBytes) {
        windowTicks = clock.ticks;
        windowBytes = receivedBytes;
    }

    private void beginRecent(long receivedBytes) {
        recentTicks = clock.ticks;
        recentBytes = receivedBytes;
    }
}
