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

/// Sockets by direct system calls: one `recv` and one `send` per request.
///
/// Level-triggered: a descriptor is reported as long as data is available. A read that did not fill the inbox therefore
/// needs no second read to detect the end of the data.
///
/// `send` and `recv` are *critical* calls: they cannot block, the thread stays in Java state, and heap arrays are
/// passed directly, so that no byte is copied. Waiting is an ordinary call, because a waiting thread must not delay a
/// garbage collection.
final class EpollSockets extends Sockets {

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int STREAM_NONBLOCK_CLOEXEC = 1 | 0x800 | 0x80000;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_ADD = 1;
    private static final int EPOLL_MOD = 3;
    private static final int EPOLLIN = 1;
    private static final int EPOLLOUT = 4;
    private static final int EPOLLERR_OR_HUP = 8 | 0x10;
    private static final int EINTR = 4;
    private static final int EAGAIN = 11;
    private static final int EINPROGRESS = 115;

    /// `struct epoll_event` is packed only on x86-64.
    private static final boolean PACKED = System.getProperty("os.arch", "").matches("amd64|x86_64");

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int EVENT_DATA = PACKED ? 4 : 8;

    private static final int CLOSED = -1;
    private static final int MOST_EVENTS = 1024;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort NET_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final MethodHandle SOCKET = Libc.call("socket", "iii");
    private static final MethodHandle CONNECT = Libc.call("connect", "ipi");
    private static final MethodHandle CLOSE = Libc.call("close", "i");
    private static final MethodHandle SETSOCKOPT = Libc.call("setsockopt", "iiipi");
    private static final MethodHandle GETSOCKOPT = Libc.call("getsockopt", "iiipp");
    private static final MethodHandle GETSOCKNAME = Libc.call("getsockname", "ipp");
    private static final MethodHandle EPOLL_CREATE1 = Libc.call("epoll_create1", "i");
    private static final MethodHandle EPOLL_CTL = Libc.call("epoll_ctl", "iiip");
    private static final MethodHandle EPOLL_WAIT = Libc.call("epoll_wait", "ipii");
    private static final MethodHandle SEND = Libc.critical("send");
    private static final MethodHandle RECV = Libc.critical("recv");

    private final MemorySegment inboxSegment;
    private final MemorySegment outboxSegment;
    private final MemorySegment errno;
    private final MemorySegment events;
    private final MemorySegment change;
    private final MemorySegment time;
    private final MemorySegment option;
    private final MemorySegment address;
    private final MemorySegment ownAddress;
    private final int family;

    // Owned by the loop.
    private final int[] descriptors;
    private final int epoll;
    private boolean coarse = Libc.EPOLL_PWAIT2 == null;
    private boolean sharpened;

    /// @param server must be used only where [Libc#obstacle()] is null
    EpollSockets(InetSocketAddress server, int slots, int inboxBytes, int outboxBytes) {
        super(MOST_EVENTS, inboxBytes, outboxBytes);
        // Garbage-collected: a confined arena would be checked, and a shared one counted, at every call.
        Arena arena = Arena.ofAuto();
        inboxSegment = MemorySegment.ofArray(inbox);
        outboxSegment = MemorySegment.ofArray(outbox);
        errno = Libc.errnoHolder(arena);
        events = arena.allocate((long) MOST_EVENTS * EVENT_BYTES, 8);
        change = arena.allocate(16, 8);
        time = arena.allocate(16, 8);
        option = arena.allocate(8, 8);
        family = server.getAddress() instanceof Inet6Address ? AF_INET6 : AF_INET;
        address = socketAddress(arena, server);
        ownAddress = arena.allocate(address.byteSize(), 8);
        descriptors = new int[slots];
        Arrays.fill(descriptors, CLOSED);
        epoll = Libc.result(() -> (int) EPOLL_CREATE1.invokeExact(errno, EPOLL_CLOEXEC));
        if (epoll < 0) {
            throw new IllegalStateException("epoll_create1: " + Libc.explain(Libc.errno(errno)));
        }
    }

    private static MemorySegment socketAddress(Arena arena, InetSocketAddress server) {
        byte[] ip = server.getAddress().getAddress();
        MemorySegment made = arena.allocate(ip.length == 4 ? 16 : 28, 8);
        made.set(ValueLayout.JAVA_SHORT, 0, (short) (ip.length == 4 ? AF_INET : AF_INET6));
        made.set(NET_SHORT, 2, (short) server.getPort());
        MemorySegment.copy(ip, 0, made, ValueLayout.JAVA_BYTE, ip.length == 4 ? 4 : 8, ip.length);
        if (server.getAddress() instanceof Inet6Address scoped) {
            made.set(INT, 24, scoped.getScopeId());
        }
        return made;
    }

    @Override
    public boolean connect(int slot) {
        int made = Libc.result(() -> (int) SOCKET.invokeExact(errno, family, STREAM_NONBLOCK_CLOEXEC, 0));
        if (made < 0) {
            return failed(Libc.errno(errno));
        }
        descriptors[slot] = made;
        option.set(INT, 0, 1);
        int _ = Libc.result(() -> (int) SETSOCKOPT.invokeExact(errno, made, IPPROTO_TCP, TCP_NODELAY, option, 4));
        int result = Libc.result(() -> (int) CONNECT.invokeExact(errno, made, address, (int) address.byteSize()));
        int reason = result < 0 ? Libc.errno(errno) : 0;
        if (reason != 0 && reason != EINPROGRESS && reason != EINTR) {
            close(slot);
            return failed(reason);
        }
        return control(slot, EPOLL_ADD, EPOLLIN | EPOLLOUT);
    }

    private boolean failed(int reason) {
        return failed(Libc.explain(reason));
    }

    private boolean control(int slot, int operation, int interest) {
        change.set(INT, 0, interest);
        change.set(LONG, EVENT_DATA, slot);
        int result = Libc.result(() -> (int) EPOLL_CTL.invokeExact(errno, epoll, operation, descriptors[slot], change));
        return result == 0 || failed(Libc.errno(errno));
    }

    @Override
    public boolean finishConnect(int slot) {
        option.set(INT, 0, 0);
        option.set(INT, 4, 4);
        MemorySegment length = option.asSlice(4, 4);
        int result = Libc.result(
                () -> (int) GETSOCKOPT.invokeExact(errno, descriptors[slot], SOL_SOCKET, SO_ERROR, option, length));
        int reason = result < 0 ? Libc.errno(errno) : option.get(INT, 0);
        return reason == 0 ? control(slot, EPOLL_MOD, EPOLLIN) : failed(reason);
    }

    @Override
    public int localPort(int slot) {
        option.set(INT, 0, (int) ownAddress.byteSize());
        int result = Libc.result(() -> (int) GETSOCKNAME.invokeExact(errno, descriptors[slot], ownAddress, option));
        return result == 0 ? Short.toUnsignedInt(ownAddress.get(NET_SHORT, 2)) : 0;
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
            long taken = (long) SEND.invokeExact(errno, descriptors[slot], outboxSegment, (long) length, MSG_NOSIGNAL);
            return taken >= 0 ? (int) taken : blockedOrBroken();
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    private int blockedOrBroken() {
        int reason = Libc.errno(errno);
        return reason == EAGAIN || reason == EINTR ? WOULD_BLOCK : broken(Libc.explain(reason));
    }

    @Override
    public void wantWrite(int slot, boolean wanted) {
        control(slot, EPOLL_MOD, wanted ? EPOLLIN | EPOLLOUT : EPOLLIN);
    }

    @Override
    public void close(int slot) {
        if (descriptors[slot] != CLOSED) {
            closeDescriptor(descriptors[slot]);
            descriptors[slot] = CLOSED;
        }
    }

    private void closeDescriptor(int descriptor) {
        int _ = Libc.result(() -> (int) CLOSE.invokeExact(errno, descriptor));
    }

    @Override
    public int await(long nanos) {
        if (!sharpened) {
            Libc.sharpenTimers(errno); // here, because it applies to the calling thread
            sharpened = true;
        }
        readyCount = 0;
        try {
            int ready = coarse ? awaitMillis(nanos) : awaitNanos(nanos);
            for (int i = 0; i < ready; i++) { // none if interrupted
                long event = (long) i * EVENT_BYTES;
                int what = events.get(INT, event);
                boolean over = (what & EPOLLERR_OR_HUP) != 0;
                report(
                        (int) events.get(LONG, event + EVENT_DATA),
                        over || (what & EPOLLIN) != 0,
                        over || (what & EPOLLOUT) != 0);
            }
            return readyCount;
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    private int awaitNanos(long nanos) throws Throwable {
        time.set(LONG, 0, nanos / NANOS_PER_SECOND);
        time.set(LONG, 8, nanos % NANOS_PER_SECOND);
        MethodHandle wait = Objects.requireNonNull(Libc.EPOLL_PWAIT2);
        int ready = (int) wait.invokeExact(errno, epoll, events, MOST_EVENTS, time, MemorySegment.NULL);
        if (ready < 0 && Libc.errno(errno) != EINTR) {
            coarse = true; // a kernel before 5.11, or a sandbox that forbids the call
        }
        return ready;
    }

    /// Waits for whole milliseconds. The caller spins for the remainder.
    private int awaitMillis(long nanos) throws Throwable {
        int millis = (int) TimeUnit.NANOSECONDS.toMillis(nanos);
        return (int) EPOLL_WAIT.invokeExact(errno, epoll, events, MOST_EVENTS, millis);
    }

    @Override
    public void close() {
        for (int slot = 0; slot < descriptors.length; slot++) {
            close(slot);
        }
        closeDescriptor(epoll);
    }
}
