package kvant.server;

/// How event loops talk to the kernel.
public enum TransportKind {
    /// Epoll where its native library loads, else NIO.
    AUTO,
    EPOLL,
    NIO,
    IO_URING
}
