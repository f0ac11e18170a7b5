package kvant.server.admit;

/// The kinds of requests that admission and executors treat differently.
public enum RequestKind {
    /// Of one key.
    READ,
    /// Of one key.
    WRITE,
    /// Several writes: long ones keep a thread busy before they reach the engine.
    BATCH,
    /// Answered in several rounds.
    RANGE,
    /// About the node itself.
    OTHER;

    /// Whether it may change data that other requests read.
    public boolean isWrite() {
        return this == WRITE || this == BATCH;
    }
}
