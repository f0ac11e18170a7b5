package kvant.server;

/// The ways in which event loops do network I/O.
public enum TransportKind {
    /// Epoll where its native library loads, else NIO.
    AUTO,
    EPOLL,
    NIO,
    IO_URING
}
