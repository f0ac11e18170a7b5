package kvant.server.admit;

import kvant.engine.MetricSink;

/// The memory that the node holds on behalf of clients, by purpose. Made once for a node; the holder of bytes for a
/// client claims them here, by the rules of [MemoryBudget].
///
/// | budget | bytes of | slow client ([MemoryReservation]) |
/// |---|---|---|
/// | unread | input that waits for the rest of a line or for a place: direct buffers | waits for two checks |
/// | bodies | request bodies, until the engine has them | its body arrives slowly for the memory that it holds |
/// | tls | the TLS state of a connection, as long as it is open | none: without this memory there is no connection |
/// | answers | values on their way out, see [AnswerMemory] | takes longer than the stall timeout for its answers |
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
