package kvant.load.net;

import org.jspecify.annotations.Nullable;

/// The connections of one event loop to one server, by slot number, with a wait for events.
///
/// Owned by the thread of the loop; no other thread may call it. All connections share one [#inbox()] and one
/// [#outbox()], so that a connection has no buffers of its own.
public abstract class Sockets implements AutoCloseable {

    /// No data now; the slot will become ready.
    public static final int WOULD_BLOCK = 0;

    /// The peer closed its side.
    public static final int END = -1;

    /// The connection is broken; see [#lastError()].
    public static final int BROKEN = -2;

    // Constant.
    protected final byte[] inbox;
    protected final byte[] outbox;

    // Owned by the loop.
    protected int readyCount;
    private final int[] readySlots;
    private final boolean[] readable;
    private final boolean[] writable;
    private String lastError = "";

    /// The implementation of sockets.
    public enum Kind {
        /// The fastest one available on this machine.
        AUTO,
        /// Direct Linux system calls.
        EPOLL,
        /// The channels of the JDK.
        NIO
    }

    /// @param mostReady maximum number of slots that a wait reports
    /// @param inboxBytes maximum size of a read
    /// @param outboxBytes maximum size of a request, or of a batch of requests
    protected Sockets(int mostReady, int inboxBytes, int outboxBytes) {
        inbox = new byte[inboxBytes];
        outbox = new byte[outboxBytes];
        readySlots = new int[mostReady];
        readable = new boolean[mostReady];
        writable = new boolean[mostReady];
    }

    /// @param slots maximum number of connections
    /// @param inboxBytes maximum size of a read
    /// @param outboxBytes maximum size of a request, or of a batch of requests
    public static Sockets open(Kind kind, Peer peer, int slots, int inboxBytes, int outboxBytes) {
        @Nullable Trust trust = peer.trust();
        if (trust != null) {
            int records = SecureSockets.recordBytes(trust, outboxBytes);
            Sockets below = open(kind, new Peer(peer.address(), peer.host(), null), slots, inboxBytes, records);
            return new SecureSockets(below, peer, trust, slots, inboxBytes, outboxBytes);
        }
        boolean epoll = kind == Kind.EPOLL || (kind == Kind.AUTO && obstacleToEpoll() == null);
        return epoll
                ? new EpollSockets(peer.address(), slots, inboxBytes, outboxBytes)
                : new NioSockets(peer.address(), slots, inboxBytes, outboxBytes);
    }

    /// The reason why this machine does not support [Kind#EPOLL], or null if it does.
    public static @Nullable String obstacleToEpoll() {
        return Libc.obstacle();
    }

    /// Starts to connect a closed slot. It becomes writable when that is done or has failed.
    ///
    /// @return false if it failed immediately; see [#lastError()]
    public abstract boolean connect(int slot);

    /// True if the connection that became writable is established; otherwise see [#lastError()].
    public abstract boolean finishConnect(int slot);

    /// The local port of an open connection; 0 if unknown.
    public abstract int localPort(int slot);

    /// Reads into the inbox from its start. Returns the number of bytes, or one of the constants.
    public abstract int read(int slot);

    /// Writes the first `length` bytes of the outbox. Returns the number accepted, or one of the constants.
    public abstract int write(int slot, int length);

    /// Also reports the slot when it is writable, not only when it is readable.
    public abstract void wantWrite(int slot, boolean wanted);

    public abstract void close(int slot);

    /// Waits until a slot is ready or the time is over.
    ///
    /// @param nanos 0 to poll without waiting
    /// @return the number of ready slots
    public abstract int await(long nanos);

    @Override
    public abstract void close();

    /// Adds a slot to those that this wait found ready.
    protected final void report(int slot, boolean mayRead, boolean mayWrite) {
        readySlots[readyCount] = slot;
        readable[readyCount] = mayRead;
        writable[readyCount] = mayWrite;
        readyCount++;
    }

    /// The slot of the `index`th ready connection.
    public final int readySlot(int index) {
        return readySlots[index];
    }

    public final boolean isReadable(int index) {
        return readable[index];
    }

    public final boolean isWritable(int index) {
        return writable[index];
    }

    public final byte[] inbox() {
        return inbox;
    }

    public final byte[] outbox() {
        return outbox;
    }

    protected final boolean failed(String why) {
        lastError = why;
        return false;
    }

    protected final int broken(String why) {
        lastError = why;
        return BROKEN;
    }

    /// The operating system's message for the last failure.
    public final String lastError() {
        return lastError;
    }
}
