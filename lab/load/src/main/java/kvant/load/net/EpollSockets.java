package kvant.load.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sockets by direct system calls: one `recv` and one `send` per request.
///
/// Level-triggered: a descriptor is reported as long as data is available. A read that did not fill the inbox therefore
/// needs no second read to detect the end of the data.
final class EpollSockets implements Sockets {

    private static final int CLOSED = -1;
    private static final int MOST_EVENTS = 1024;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort NET_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    // Constant. Handles are null only if Libc.obstacle() gives a reason; this class is then not used.
    private static final MethodHandle SOCKET = handle(Libc.SOCKET);
    private static final MethodHandle CONNECT = handle(Libc.CONNECT);
    private static final MethodHandle CLOSE = handle(Libc.CLOSE);
    private static final MethodHandle SETSOCKOPT = handle(Libc.SETSOCKOPT);
    private static final MethodHandle GETSOCKOPT = handle(Libc.GETSOCKOPT);
    private static final MethodHandle GETSOCKNAME = handle(Libc.GETSOCKNAME);
    private static final MethodHandle EPOLL_CREATE1 = handle(Libc.EPOLL_CREATE1);
    private static final MethodHandle EPOLL_CTL = handle(Libc.EPOLL_CTL);
    private static final MethodHandle EPOLL_WAIT = handle(Libc.EPOLL_WAIT);
    private static final @Nullable MethodHandle EPOLL_PWAIT2 = Libc.EPOLL_PWAIT2;
    private static final MethodHandle SEND = handle(Libc.SEND);
    private static final MethodHandle RECV = handle(Libc.RECV);

    private final byte[] inbox;
    private final byte[] outbox;
    private final MemorySegment inboxSegment;
    private final MemorySegment outboxSegment;
    private final MemorySegment errno;
    private final MemorySegment events;
    private final MemorySegment change;
    private final MemorySegment time;
    private final MemorySegment option;
    private final MemorySegment address;
    private final MemorySegment ownAddress;
    private final boolean v6;

    // Owned by the loop.
    private final int[] descriptors;
    private final int epoll;
    private int lastErrno;
    private boolean coarse = EPOLL_PWAIT2 == null;
    private boolean sharpened;

    EpollSockets(InetSocketAddress server, int slots, int inboxBytes, int outboxBytes) {
        // Garbage-collected: a confined arena would be checked, and a shared one counted, at every call.
        Arena arena = Arena.ofAuto();
        inbox = new byte[inboxBytes];
        outbox = new byte[outboxBytes];
        inboxSegment = MemorySegment.ofArray(inbox);
        outboxSegment = MemorySegment.ofArray(outbox);
        errno = Libc.errnoHolder(arena);
        events = arena.allocate((long) MOST_EVENTS * Libc.EVENT_BYTES, 8);
        change = arena.allocate(16, 8);
        time = arena.allocate(16, 8);
        option = arena.allocate(8, 8);
        v6 = server.getAddress() instanceof Inet6Address;
        address = socketAddress(arena, server);
        ownAddress = arena.allocate(address.byteSize(), 8);
        descriptors = new int[slots];
        Arrays.fill(descriptors, CLOSED);
        try {
            epoll = (int) EPOLL_CREATE1.invokeExact(errno, Libc.EPOLL_CLOEXEC);
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
        if (epoll < 0) {
            throw new IllegalStateException("epoll_create1: " + Libc.explain(Libc.errno(errno)));
        }
    }

    private static MethodHandle handle(@Nullable MethodHandle found) {
        return Objects.requireNonNull(found, "a system call that Libc.obstacle() should have missed");
    }

    private static MemorySegment socketAddress(Arena arena, InetSocketAddress server) {
        byte[] ip = server.getAddress().getAddress();
        MemorySegment made = arena.allocate(ip.length == 4 ? 16 : 28, 8);
        made.set(ValueLayout.JAVA_SHORT, 0, (short) (ip.length == 4 ? Libc.AF_INET : Libc.AF_INET6));
        made.set(NET_SHORT, 2, (short) server.getPort());
        MemorySegment.copy(ip, 0, made, ValueLayout.JAVA_BYTE, ip.length == 4 ? 4 : 8, ip.length);
        if (server.getAddress() instanceof Inet6Address scoped) {
            made.set(INT, 24, scoped.getScopeId());
        }
        return made;
    }

    @Override
    public boolean connect(int slot) {
        try {
            int family = v6 ? Libc.AF_INET6 : Libc.AF_INET;
            int descriptor = (int) SOCKET.invokeExact(errno, family, Libc.STREAM_NONBLOCK_CLOEXEC, 0);
            if (descriptor < 0) {
                return failed(Libc.errno(errno));
            }
            descriptors[slot] = descriptor;
            option.set(INT, 0, 1);
            int _ = (int) SETSOCKOPT.invokeExact(errno, descriptor, Libc.IPPROTO_TCP, Libc.TCP_NODELAY, option, 4);
            int result = (int) CONNECT.invokeExact(errno, descriptor, address, (int) address.byteSize());
            int reason = result < 0 ? Libc.errno(errno) : 0;
            if (result < 0 && reason != Libc.EINPROGRESS && reason != Libc.EINTR) {
                close(slot);
                return failed(reason);
            }
            return control(slot, Libc.EPOLL_ADD, Libc.EPOLLIN | Libc.EPOLLOUT);
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    private boolean failed(int reason) {
        lastErrno = reason;
        return false;
    }

    private boolean control(int slot, int operation, int interest) {
        change.set(INT, 0, interest);
        change.set(LONG, Libc.EVENT_DATA, slot);
        try {
            int result = (int) EPOLL_CTL.invokeExact(errno, epoll, operation, descriptors[slot], change);
            return result == 0 || failed(Libc.errno(errno));
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    @Override
    public boolean finishConnect(int slot) {
        option.set(INT, 0, 0);
        option.set(INT, 4, 4);
        try {
            int result = (int) GETSOCKOPT.invokeExact(
                    errno, descriptors[slot], Libc.SOL_SOCKET, Libc.SO_ERROR, option, option.asSlice(4, 4));
            int reason = result < 0 ? Libc.errno(errno) : option.get(INT, 0);
            return reason == 0 ? control(slot, Libc.EPOLL_MOD, Libc.EPOLLIN) : failed(reason);
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    @Override
    public int localPort(int slot) {
        option.set(INT, 0, (int) ownAddress.byteSize());
        try {
            int result = (int) GETSOCKNAME.invokeExact(errno, descriptors[slot], ownAddress, option);
            return result == 0 ? Short.toUnsignedInt(ownAddress.get(NET_SHORT, 2)) : 0;
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    @Override
    public int read(int slot) {
        try {
            long got = (long) RECV.invokeExact(errno, descriptors[slot], inboxSegment, (long) inbox.length, 0);
            if (got > 0) {
                return (int) got;
            }
            return got == 0 ? END : blockedOrBroken();
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    @Override
    public int write(int slot, int length) {
        try {
            long taken =
                    (long) SEND.invokeExact(errno, descriptors[slot], outboxSegment, (long) length, Libc.MSG_NOSIGNAL);
            return taken >= 0 ? (int) taken : blockedOrBroken();
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    private int blockedOrBroken() {
        int reason = Libc.errno(errno);
        if (reason == Libc.EAGAIN || reason == Libc.EINTR) {
            return WOULD_BLOCK;
        }
        lastErrno = reason;
        return BROKEN;
    }

    @Override
    public void wantWrite(int slot, boolean wanted) {
        control(slot, Libc.EPOLL_MOD, wanted ? Libc.EPOLLIN | Libc.EPOLLOUT : Libc.EPOLLIN);
    }

    @Override
    public void close(int slot) {
        if (descriptors[slot] != CLOSED) {
            closeDescriptor(descriptors[slot]);
            descriptors[slot] = CLOSED;
        }
    }

    private void closeDescriptor(int descriptor) {
        try {
            int _ = (int) CLOSE.invokeExact(errno, descriptor);
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    @Override
    public int await(long nanos) {
        if (!sharpened) {
            Libc.sharpenTimers(errno); // here, because it applies to the calling thread
            sharpened = true;
        }
        try {
            int ready = coarse ? awaitMillis(nanos) : awaitNanos(nanos);
            return Math.max(ready, 0); // interrupted: nothing yet
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    private int awaitNanos(long nanos) throws Throwable {
        time.set(LONG, 0, nanos / NANOS_PER_SECOND);
        time.set(LONG, 8, nanos % NANOS_PER_SECOND);
        int ready = (int) handle(EPOLL_PWAIT2).invokeExact(errno, epoll, events, MOST_EVENTS, time, MemorySegment.NULL);
        if (ready < 0 && Libc.errno(errno) != Libc.EINTR) {
            coarse = true; // a kernel before 5.11, or a sandbox that forbids the call
            return 0;
        }
        return ready;
    }

    /// Waits for whole milliseconds. The caller spins for the remainder.
    private int awaitMillis(long nanos) throws Throwable {
        int millis = (int) TimeUnit.NANOSECONDS.toMillis(nanos);
        return (int) EPOLL_WAIT.invokeExact(errno, epoll, events, MOST_EVENTS, millis);
    }

    @Override
    public int readySlot(int index) {
        return (int) events.get(LONG, (long) index * Libc.EVENT_BYTES + Libc.EVENT_DATA);
    }

    @Override
    public boolean isReadable(int index) {
        int ready = events.get(INT, (long) index * Libc.EVENT_BYTES);
        return (ready & (Libc.EPOLLIN | Libc.EPOLLERR | Libc.EPOLLHUP)) != 0;
    }

    @Override
    public boolean isWritable(int index) {
        int ready = events.get(INT, (long) index * Libc.EVENT_BYTES);
        return (ready & (Libc.EPOLLOUT | Libc.EPOLLERR | Libc.EPOLLHUP)) != 0;
    }

    @Override
    public byte[] inbox() {
        return inbox;
    }

    @Override
    public byte[] outbox() {
        return outbox;
    }

    @Override
    public String lastError() {
        return Libc.explain(lastErrno);
    }

    @Override
    public void close() {
        for (int slot = 0; slot < descriptors.length; slot++) {
            close(slot);
        }
        closeDescriptor(epoll);
    }
}
