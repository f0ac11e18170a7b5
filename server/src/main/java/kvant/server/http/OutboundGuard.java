package kvant.server.http;

import kvant.server.admit.AnswerMemory;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;

/// A check of how fast a client takes its waiting answers, which hold memory until then.
///
///     ABOUT TO BEGIN --> GETS ON <--> SLOW: evicted first when another needs the memory --> CLOSED
///                           \________________below the lowest rate___________________/
///
/// A client is slow if, at the rate of the last checks, it would not take its answers within the stall timeout. The
/// lowest rate is much lower, and grows with the held memory: a client that holds little is not closed for taking it
/// slowly.
///
/// Owned by the connection's event loop; checked at each tick, and only while answers wait for the client.
final class OutboundGuard {

    /// Head start: a new client counts as having taken this part of its answers in the tick before.
    private static final int HEAD_START_SHARE = 8;

    // Constant.
    private final LoopClock clock;
    private final HttpLimits limits;
    private final MemoryReservation shared;
    private final MemoryReservation longest;
    private final long patienceTicks;

    // Owned by the loop.
    private boolean watching;
    private long seenBytes;
    private long bytesPerTick;
    private long windowTicks;
    private long windowBytes;
    private long windowHeldBytes;

    /// @param onEvicted called by any thread when the memory of a slow one is needed; asks [#isEvicted] on the loop
    OutboundGuard(LoopClock clock, HttpLimits limits, AnswerMemory memory, Runnable onEvicted) {
        this.clock = clock;
        this.limits = limits;
        this.shared = new MemoryReservation(memory.shared(), onEvicted);
        this.longest = new MemoryReservation(memory.longest(), onEvicted);
        this.patienceTicks = Math.max(1, limits.stallTimeout().toNanos() / clock.tickNanos);
    }

    /// Checks a client while answers wait for it.
    ///
    /// @param takenBytes all that the client has ever taken
    /// @param sharedBytes memory that the answers hold of the shared budget
    /// @param longestBytes memory that one of them holds of the budget for the longest answer
    /// @return whether the client takes them below the lowest rate
    boolean isTooSlow(long takenBytes, long sharedBytes, long longestBytes) {
        long heldBytes = sharedBytes + longestBytes;
        if (!watching) {
            watching = true;
            bytesPerTick = heldBytes / HEAD_START_SHARE;
            beginWindow(takenBytes, heldBytes);
        } else {
            bytesPerTick = (bytesPerTick + takenBytes - seenBytes) / 2;
        }
        seenBytes = takenBytes;
        boolean slow = bytesPerTick * patienceTicks < heldBytes;
        shared.slowIf(slow, sharedBytes);
        longest.slowIf(slow, longestBytes);
        return isBelowLowestRate(takenBytes, heldBytes);
    }

    private boolean isBelowLowestRate(long takenBytes, long heldBytes) {
        if (!clock.isOver(windowTicks, limits.stallTimeout())) {
            return false;
        }
        double share = (double) limits.stallTimeout().toNanos()
                / Math.max(
                        limits.answerTimeout().toNanos(), limits.stallTimeout().toNanos());
        boolean below = takenBytes - windowBytes < Math.min(windowHeldBytes, heldBytes) * share;
        beginWindow(takenBytes, heldBytes);
        return below;
    }

    private void beginWindow(long takenBytes, long heldBytes) {
        windowTicks = clock.ticks;
        windowBytes = takenBytes;
        windowHeldBytes = heldBytes;
    }

    /// Ends the check while no answer waits for the client.
    void rest() {
        if (watching) {
            watching = false;
            shared.slowIf(false);
            longest.slowIf(false);
        }
    }

    /// Whether the memory that the client held at the last check was given to another.
    boolean isEvicted() {
        return shared.isEvicted() || longest.isEvicted();
    }

    /// Reports that the connection holds nothing any more.
    void gone() {
        watching = false;
        shared.gone();
        longest.gone();
    }
}
