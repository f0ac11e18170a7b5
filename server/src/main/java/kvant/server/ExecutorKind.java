package kvant.server;

/// Where requests meet the engine.
public enum ExecutorKind {
    /// On the event loop that read the request.
    SYNC,
    /// On a fixed pool of workers behind a queue.
    ASYNC
}
