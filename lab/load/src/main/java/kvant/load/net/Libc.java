package kvant.load.net;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The Linux system calls for client sockets, without a layer in between.
///
/// `send` and `recv` are *critical* calls: they cannot block, the thread stays in Java state, and heap arrays are
/// passed directly, so that no byte is copied. Waiting is an ordinary call, because a waiting thread must not delay a
/// garbage collection.
@SuppressWarnings("restricted")
final class Libc {

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int STREAM_NONBLOCK_CLOEXEC = 1 | 0x800 | 0x80000;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    static final int SOL_SOCKET = 1;
    static final int SO_ERROR = 4;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int EPOLL_CLOEXEC = 0x80000;
    static final int EPOLL_ADD = 1;
    static final int EPOLL_MOD = 3;
    static final int EPOLLIN = 1;
    static final int EPOLLOUT = 4;
    static final int EPOLLERR = 8;
    static final int EPOLLHUP = 0x10;
    static final int EINTR = 4;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int EINPROGRESS = 115;
    static final int PR_SET_TIMERSLACK = 29;

    /// `struct epoll_event` is packed only on x86-64.
    static final boolean PACKED = isX86();

    static final int EVENT_BYTES = PACKED ? 12 : 16;
    static final int EVENT_DATA = PACKED ? 4 : 8;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LOOKUP = LINKER.defaultLookup();
    private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = ERRNO_LAYOUT
            .varHandle(MemoryLayout.PathElement.groupElement("errno"))
            .withInvokeExactBehavior();

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;

    static final @Nullable MethodHandle SOCKET = withErrno("socket", FunctionDescriptor.of(INT, INT, INT, INT));
    static final @Nullable MethodHandle CONNECT = withErrno("connect", FunctionDescriptor.of(INT, INT, POINTER, INT));
    static final @Nullable MethodHandle CLOSE = withErrno("close", FunctionDescriptor.of(INT, INT));
    static final @Nullable MethodHandle SETSOCKOPT =
            withErrno("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, INT));
    static final @Nullable MethodHandle GETSOCKOPT =
            withErrno("getsockopt", FunctionDescriptor.of(INT, INT, INT, INT, POINTER, POINTER));
    static final @Nullable MethodHandle GETSOCKNAME =
            withErrno("getsockname", FunctionDescriptor.of(INT, INT, POINTER, POINTER));
    static final @Nullable MethodHandle EPOLL_CREATE1 = withErrno("epoll_create1", FunctionDescriptor.of(INT, INT));
    static final @Nullable MethodHandle EPOLL_CTL =
            withErrno("epoll_ctl", FunctionDescriptor.of(INT, INT, INT, INT, POINTER));
    static final @Nullable MethodHandle EPOLL_WAIT =
            withErrno("epoll_wait", FunctionDescriptor.of(INT, INT, POINTER, INT, INT));

    /// Waits with nanosecond resolution if the C library supports it (Linux 5.11, glibc 2.35).
    static final @Nullable MethodHandle EPOLL_PWAIT2 =
            withErrno("epoll_pwait2", FunctionDescriptor.of(INT, INT, POINTER, INT, POINTER, POINTER));

    static final @Nullable MethodHandle SEND = critical("send", FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT));
    static final @Nullable MethodHandle RECV = critical("recv", FunctionDescriptor.of(LONG, INT, POINTER, LONG, INT));
    static final @Nullable MethodHandle PTHREAD_SELF = plain("pthread_self", FunctionDescriptor.of(POINTER));
    static final @Nullable MethodHandle PTHREAD_SETSCHEDPARAM =
            plain("pthread_setschedparam", FunctionDescriptor.of(INT, POINTER, INT, POINTER));
    private static final @Nullable MethodHandle PRCTL =
            withErrno("prctl", FunctionDescriptor.of(INT, INT, LONG, LONG, LONG, LONG));
    private static final @Nullable MethodHandle STRERROR = plain("strerror", FunctionDescriptor.of(POINTER, INT));

    private Libc() {}

    /// The reason why this machine does not support these calls, or null if it does.
    static @Nullable String obstacle() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            return "epoll is a facility of Linux";
        }
        return SEND == null || RECV == null || EPOLL_WAIT == null ? "the C library lacks epoll" : null;
    }

    /// Memory for the error number of a call. Garbage-collected: a confined arena would be checked at every call.
    static MemorySegment errnoHolder(Arena arena) {
        return arena.allocate(ERRNO_LAYOUT);
    }

    static int errno(MemorySegment holder) {
        return (int) ERRNO.get(holder, 0L);
    }

    static String explain(int errno) {
        try {
            if (STRERROR != null) {
                MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
                return text.reinterpret(256).getString(0);
            }
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
        return "error " + errno;
    }

    /// True if the C library and the kernel have [#EPOLL_PWAIT2], and no sandbox forbids it.
    static boolean waitsInNanos() {
        if (EPOLL_PWAIT2 == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errnoHolder(arena);
            MemorySegment none = MemorySegment.NULL;
            int _ = (int) EPOLL_PWAIT2.invokeExact(errno, -1, none, 1, none, none);
            return errno(errno) == EBADF;
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// Lets timers of this thread expire on time instead of up to 50 us later, the Linux default.
    static void sharpenTimers(MemorySegment errnoHolder) {
        try {
            if (PRCTL != null) {
                int _ = (int) PRCTL.invokeExact(errnoHolder, PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
            }
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// A downcall declares Throwable, but throws none itself.
    static RuntimeException unexpected(Throwable failure) {
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }

    private static boolean isX86() {
        String arch = System.getProperty("os.arch", "");
        return arch.equals("amd64") || arch.equals("x86_64");
    }

    private static @Nullable MethodHandle withErrno(String name, FunctionDescriptor shape) {
        return LOOKUP.find(name)
                .map(found -> LINKER.downcallHandle(found, shape, Linker.Option.captureCallState("errno")))
                .orElse(null);
    }

    private static @Nullable MethodHandle critical(String name, FunctionDescriptor shape) {
        return LOOKUP.find(name)
                .map(found -> LINKER.downcallHandle(
                        found, shape, Linker.Option.captureCallState("errno"), Linker.Option.critical(true)))
                .orElse(null);
    }

    private static @Nullable MethodHandle plain(String name, FunctionDescriptor shape) {
        return LOOKUP.find(name)
                .map(found -> LINKER.downcallHandle(found, shape))
                .orElse(null);
    }
}
