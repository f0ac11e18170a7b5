package kvant.server.service;

/// The stages of a request, from the bytes read to the bytes written.
enum Stage {
    /// Read from the socket, until it was handed to the executor.
    READ,
    /// Until a thread began with it; of those that were handed to another thread.
    QUEUE,
    /// Until the engine had answered a read.
    ENGINE,
    /// Until the engine had committed a write.
    COMMIT,
    /// Until it was back on its event loop; of those that had left it.
    DELIVER,
    /// Until its answer was handed to the kernel, or as much of it as the kernel took.
    WRITE,
    /// All of it.
    TOTAL
}
