package kvant.server.http;

import kvant.server.http.contract.HttpLimits;

/// Watches the body that a connection is receiving: it has a lowest rate and a latest end, because whoever
/// sends most of a large body and then a byte now and then would keep its memory for as long as he likes.
///
/// Owned by the connection's event loop; looked at with each tick.
final class BodyWatch {

    // Constant.
    private final LoopClock clock;
    private final HttpLimits limits;
    private final long leastWindowBytes;

    // Of the body being received.
    private boolean watching;
    private long beganTicks;
    private long windowTicks;
    private long windowBytes;

    BodyWatch(LoopClock clock, HttpLimits limits) {
        this.clock = clock;
        this.limits = limits;
        this.leastWindowBytes =
                limits.minBodyBytesPerSecond() * limits.stallTimeout().toMillis() / 1000;
    }

    /// No body is awaited, or the client need not send it yet.
    void rest() {
        watching = false;
    }

    /// @param receivedBytes all that the connection has received
    boolean isTooSlow(long receivedBytes) {
        if (!watching) {
            watching = true;
            beganTicks = clock.ticks();
            beginWindow(receivedBytes);
            return false;
        }
        if (clock.isOver(beganTicks, limits.bodyTimeout())) {
            return true;
        }
        if (!clock.isOver(windowTicks, limits.stallTimeout())) {
            return false;
        }
        boolean slow = receivedBytes - windowBytes < leastWindowBytes;
        beginWindow(receivedBytes);
        return slow;
    }

    private void beginWindow(long receivedBytes) {
        windowTicks = clock.ticks();
        windowBytes = receivedBytes;
    }
}
