package kvant.server.admit;

import java.util.concurrent.atomic.LongAdder;
import kvant.engine.MetricSink;

/// Memory for values on their way to clients. A value is held as one array until its last byte is on its way, so its
/// whole length is claimed until then.
///
///     |<----------------------- maxBytes ----------------------->|    |<-- one value -->|
///     |  shared, at most half of this each   | small ones alone  |    |  a longer one   |
///
/// A value that would take more than half of the share of long ones has a place of its own, of which there is one: a
/// slow reader of it takes nothing from other clients. The other rules are those of [MemoryBudget].
///
/// For values that an engine sends over a network, memory is claimed before the request, by an estimate, from a part
/// of their own. Clients cannot hold that part, because the claim is released as soon as the value is there.
///
/// Short replies to a client that sends a long pipeline and reads nothing yet have a part of their own, too.
///
/// Any thread may call.
public final class AnswerMemory {

    // Constant.
    private final long longestSharedBytes;
    private final MemoryBudget shared;
    private final MemoryBudget longest = new MemoryBudget(0); // one always fits
    private final MemoryBudget arriving;
    private final MemoryBudget waiting;

    // Concurrent.
    private final LongAdder tooSlow = new LongAdder();

    /// @param maxBytes of all values but the longest, all connections together
    public AnswerMemory(long maxBytes) {
        this.shared = new MemoryBudget(maxBytes);
        this.arriving = new MemoryBudget(maxBytes / 2);
        this.waiting = new MemoryBudget(maxBytes / 2);
        this.longestSharedBytes = maxBytes / 8 * 3;
    }

    /// The budget for an answer of this size.
    public MemoryBudget budgetFor(long bytes) {
        return bytes <= longestSharedBytes ? shared : longest;
    }

    /// For answers that share it.
    public MemoryBudget shared() {
        return shared;
    }

    /// For one answer at a time that is too long to share.
    public MemoryBudget longest() {
        return longest;
    }

    /// For values that a remote engine is asked for.
    public MemoryBudget arriving() {
        return arriving;
    }

    /// For small answers, ready to be sent, to clients that keep sending and read nothing.
    public MemoryBudget waiting() {
        return waiting;
    }

    /// The memory held by answers.
    public long claimedBytes() {
        return shared.claimedBytes() + longest.claimedBytes();
    }

    /// Counts a client that did not take its answer at the lowest rate.
    public void tooSlow() {
        tooSlow.increment();
    }

    void measure(MetricSink sink) {
        shared.measure(sink, "answers");
        longest.measure(sink, "longest_answer");
        arriving.measure(sink, "arriving");
        waiting.measure(sink, "waiting");
        sink.counter(
                "kvant_slow_readers_total",
                "Connections that were closed because their clients did not take answers at the lowest rate.",
                tooSlow.sum());
    }
}
