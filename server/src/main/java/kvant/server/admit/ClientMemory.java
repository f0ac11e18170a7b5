package kvant.server.admit;

/// The memory that clients make the node hold, by what they make it hold it for: input that was not parsed yet, bodies
/// as they arrive, and answers as they leave. Made once for a node; whoever holds bytes for a client claims them here.
///
/// Any thread may call.
public final class ClientMemory {

    /// Unread input has a budget of its own, so that slow heads do not keep bodies out.
    private static final int BODY_BYTES_PER_UNREAD_BYTE = 8;

    private final long maxBodyBytes;
    private final MemoryBudget bodies;
    private final MemoryBudget answers;

    /// @param maxBodyBytes request bodies, all connections together
    /// @param maxAnswerBytes values on their way out, all connections together
    public ClientMemory(long maxBodyBytes, long maxAnswerBytes) {
        this.maxBodyBytes = maxBodyBytes;
        this.bodies = new MemoryBudget(maxBodyBytes);
        this.answers = new MemoryBudget(maxAnswerBytes);
    }

    /// For long heads of the connections of one event loop; each loop has its own.
    public MemoryBudget unreadOfLoop() {
        return new MemoryBudget(maxBodyBytes / BODY_BYTES_PER_UNREAD_BYTE);
    }

    /// For request bodies.
    public MemoryBudget bodies() {
        return bodies;
    }

    /// For values on their way out.
    public MemoryBudget answers() {
        return answers;
    }
}
