package kvant.load.net;

import org.jspecify.annotations.Nullable;

/// The connections of one event loop to one server, by slot number, and the wait for what they have to say.
///
/// Owned by the thread of the loop; nothing here may be called by another. Bytes go through one [#inbox()] and one
/// [#outbox()] for all connections, so that a connection costs no buffers of its own.
public interface Sockets extends AutoCloseable {

    /// Nothing now; the slot will become ready.
    int WOULD_BLOCK = 0;

    /// The peer closed its side.
    int END = -1;

    /// The connection is broken; see [#lastError()].
    int BROKEN = -2;

    /// Starts to connect a slot that is closed. It becomes writable when that is done, or has failed.
    ///
    /// @return false where it failed at once; see [#lastError()]
    boolean connect(int slot);

    /// Whether the connection that became writable stands; see [#lastError()] where it does not.
    boolean finishConnect(int slot);

    /// The port of this side of a connection that stands; 0 where the system does not tell.
    int localPort(int slot);

    /// Reads into the inbox from its start: the number of bytes, or one of the constants.
    int read(int slot);

    /// Writes the first `length` bytes of the outbox: how many were taken, or one of the constants.
    int write(int slot, int length);

    /// Reports the slot when it can be written, besides when it can be read.
    void wantWrite(int slot, boolean wanted);

    void close(int slot);

    /// Waits until a slot is ready or the time is over.
    ///
    /// @param nanos 0 looks without waiting
    /// @return how many slots are ready
    int await(long nanos);

    /// The slot of the `index`th ready connection.
    int readySlot(int index);

    boolean isReadable(int index);

    boolean isWritable(int index);

    byte[] inbox();

    byte[] outbox();

    /// Why the last call failed, in the words of the operating system.
    String lastError();

    @Override
    void close();

    /// How sockets are driven.
    enum Kind {
        /// The fastest that this machine has.
        AUTO,
        /// Linux system calls, called directly.
        EPOLL,
        /// The channels of the JDK.
        NIO
    }

    /// @param slots how many connections there can be
    /// @param inboxBytes what one read can return
    /// @param outboxBytes the longest request, or batch of requests
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

    /// Why this machine cannot do [Kind#EPOLL], or null where it can.
    static @Nullable String obstacleToEpoll() {
        return Libc.obstacle();
    }
}
