package kvant.server.admit;

import kvant.engine.MetricSink;

/// The memory that clients make the node hold, by what they make it hold it for. Made once for a node; whoever holds
/// bytes for a client claims them here, by the rules of [MemoryBudget].
///
/// | budget | bytes of | who is slow ([SlowHolder]) |
/// |---|---|---|
/// | unread | input that waits for the rest of a line or for a place: direct buffers | who waits for two looks |
/// | bodies | request bodies, until the engine has them | one that arrives slowly for what it holds |
/// | tls | what securing a connection takes, as long as it is open | nobody: without memory for it there is none |
/// | answers | values on their way out, see [AnswerMemory] | who takes longer than the stall timeout for it |
///
/// Any thread may call.
public final class ClientMemory {

    // Constant.
    private final MemoryBudget unread;
    private final MemoryBudget bodies;
    private final AnswerMemory answers;
    private final MemoryBudget tls;

    public ClientMemory(long maxUnreadBytes, long maxBodyBytes, long maxAnswerBytes, long maxTlsBytes) {
        this.unread = new MemoryBudget(maxUnreadBytes);
        this.bodies = new MemoryBudget(maxBodyBytes);
        this.answers = new AnswerMemory(maxAnswerBytes);
        this.tls = new MemoryBudget(maxTlsBytes);
    }

    /// For input that cannot be read on.
    public MemoryBudget unread() {
        return unread;
    }

    /// For request bodies.
    public MemoryBudget bodies() {
        return bodies;
    }

    /// For values on their way out.
    public AnswerMemory answers() {
        return answers;
    }

    /// For what securing connections takes.
    public MemoryBudget tls() {
        return tls;
    }

    public void measure(MetricSink sink) {
        measure(sink, unread, "unread");
        measure(sink, bodies, "bodies");
        measure(sink, tls, "tls");
        answers.measure(sink);
    }

    static void measure(MetricSink sink, MemoryBudget budget, String kind) {
        sink.gauge(
                "kvant_client_memory_bytes",
                "Memory that clients make the node hold.",
                budget.claimedBytes(),
                "kind",
                kind);
        sink.counter(
                "kvant_client_memory_refused_total",
                "Claims on that memory that did not fit.",
                budget.refused(),
                "kind",
                kind);
        sink.gauge(
                "kvant_client_memory_slow_clients",
                "Clients that hold some of that memory and do not get on: the first to go.",
                budget.slowHolders(),
                "kind",
                kind);
        sink.counter(
                "kvant_client_memory_shed_total",
                "Slow clients that had to go because another needed their memory.",
                budget.shed(),
                "kind",
                kind);
    }
}
