package kvant.load.net;

import org.jspecify.annotations.Nullable;

/// The connections of one event loop to one server, by slot number, with a wait for events.
///
/// Owned by the thread of the loop; no other thread may call it. All connections share one [#inbox()] and one
/// [#outbox()], so that a connection has no buffers of its own.
public interface Sockets extends AutoCloseable {

    /// No data now; the slot will become ready.
    int WOULD_BLOCK = 0;

    /// The peer closed its side.
    int END = -1;

    /// The connection is broken; see [#lastError()].
    int BROKEN = -2;

    /// Starts to connect a closed slot. It becomes writable when that is done or has failed.
    ///
    /// @return false if it failed immediately; see [#lastError()]
    boolean connect(int slot);

    /// True if the connection that became writable is established; otherwise see [#lastError()].
    boolean finishConnect(int slot);

    /// The local port of an open connection; 0 if unknown.
    int localPort(int slot);

    /// Reads into the inbox from its start. Returns the number of bytes, or one of the constants.
    int read(int slot);

    /// Writes the first `length` bytes of the outbox. Returns the number accepted, or one of the constants.
    int write(int slot, int length);

    /// Also reports the slot when it is writable, not only when it is readable.
    void wantWrite(int slot, boolean wanted);

    void close(int slot);

    /// Waits until a slot is ready or the time is over.
    ///
    /// @param nanos 0 to poll without waiting
    /// @return the number of ready slots
    int await(long nanos);

    /// The slot of the `index`th ready connection.
    int readySlot(int index);

    boolean isReadable(int index);

    boolean isWritable(int index);

    byte[] inbox();

    byte[] outbox();

    /// The operating system's message for the last failure.
    String lastError();

    @Override
    void close();

    /// The implementation of sockets.
    enum Kind {
        /// The fastest one available on this machine.
        AUTO,
        /// Direct Linux system calls.
        EPOLL,
        /// The channels of the JDK.
        NIO
    }

    /// @param slots maximum number of connections
    /// @param inboxBytes maximum size of a read
    /// @param outboxBytes maximum size of a request, or of a batch of requests
    static Sockets open(Kind kind, Peer peer, int slots, int inboxBytes, int outboxBytes) {
        Trust trust = peer.trust();
        if (trust != null) {
            return SecureSockets.open(kind, peer, trust, slots, inboxBytes, outboxBytes);
        }
        boolean epoll = switch (kind) {
            case AUTO -> obstacleToEpoll() == null;
            case EPOLL -> true;
            case NIO -> false;
        };
        return epoll
                ? new EpollSockets(peer.address(), slots, inboxBytes, outboxBytes)
                : new NioSockets(peer.address(), slots, inboxBytes, outboxBytes);
    }

    /// The reason why this machine does not support [Kind#EPOLL], or null if it does.
    static @Nullable String obstacleToEpoll() {
        return Libc.obstacle();
    }
}
