package kvant.server.admit;

import kvant.engine.MetricSink;

/// The memory that clients make the node hold, by what they make it hold it for. Made once for a node; whoever holds
/// bytes for a client claims them here, by the rules of [MemoryBudget].
///
/// | budget | bytes of | who is slow ([MemoryReservation]) |
/// |---|---|---|
/// | unread | input that waits for the rest of a line or for a place: direct buffers | who waits for two looks |
/// | bodies | request bodies, until the engine has them | one that arrives slowly for what it holds |
/// | tls | what securing a connection takes, as long as it is open | nobody: without memory for it there is none |
/// | answers | values on their way out, see [AnswerMemory] | who takes longer than the stall timeout for it |
///
/// Any thread may call.
public record ClientMemory(MemoryBudget unread, MemoryBudget bodies, AnswerMemory answers, MemoryBudget tls) {

    public ClientMemory(long maxUnreadBytes, long maxBodyBytes, long maxAnswerBytes, long maxTlsBytes) {
        this(
                new MemoryBudget(maxUnreadBytes),
                new MemoryBudget(maxBodyBytes),
                new AnswerMemory(maxAnswerBytes),
                new MemoryBudget(maxTlsBytes));
    }

    public void measure(MetricSink sink) {
        unread.measure(sink, "unread");
        bodies.measure(sink, "bodies");
        tls.measure(sink, "tls");
        answers.measure(sink);
    }
}
