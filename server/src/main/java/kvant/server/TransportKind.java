package kvant.server;

/// The ways in which event loops do network I/O.
public enum TransportKind {
    /// io_uring where the kernel allows it, else epoll, else NIO.
    AUTO,
    EPOLL,
    NIO,
    IO_URING
}
