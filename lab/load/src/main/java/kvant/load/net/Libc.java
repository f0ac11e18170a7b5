package kvant.load.net;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Functions of the C library of Linux, without a layer in between.
@SuppressWarnings("restricted")
final class Libc {

    private static final int EBADF = 9;
    private static final int PR_SET_TIMERSLACK = 29;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = ERRNO_LAYOUT
            .varHandle(MemoryLayout.PathElement.groupElement("errno"))
            .withInvokeExactBehavior();

    /// Waits with nanosecond resolution if the C library supports it (Linux 5.11, glibc 2.35).
    static final @Nullable MethodHandle EPOLL_PWAIT2 = find("epoll_pwait2", shape("iipipp"), CAPTURE);

    private static final @Nullable MethodHandle PRCTL = find("prctl", shape("iillll"), CAPTURE);
    private static final @Nullable MethodHandle STRERROR = find("strerror", shape("pi"));

    /// A call of a function, which declares more than it throws.
    interface Call {
        int result() throws Throwable;
    }

    private Libc() {}

    /// A function that returns an `int`, and whose error number is kept.
    ///
    /// @param parameters a letter each, as of [#shape]
    static MethodHandle call(String name, String parameters) {
        return known(find(name, shape("i" + parameters), CAPTURE));
    }

    /// `send` or `recv`.
    static MethodHandle critical(String name) {
        return known(find(name, shape("lipli"), CAPTURE, Linker.Option.critical(true)));
    }

    private static MethodHandle known(@Nullable MethodHandle found) {
        return Objects.requireNonNull(found, "a function that obstacle() should have missed");
    }

    /// Null if the C library has no such function.
    static @Nullable MethodHandle find(String name, FunctionDescriptor shape, Linker.Option... options) {
        return LINKER.defaultLookup()
                .find(name)
                .map(found -> LINKER.downcallHandle(found, shape, options))
                .orElse(null);
    }

    /// @param types of the result and the parameters: `i` for int, `l` for long, `p` for a pointer
    static FunctionDescriptor shape(String types) {
        MemoryLayout[] all = types.chars()
                .mapToObj(type -> switch (type) {
                    case 'i' -> ValueLayout.JAVA_INT;
                    case 'l' -> ValueLayout.JAVA_LONG;
                    default -> ValueLayout.ADDRESS;
                })
                .toArray(MemoryLayout[]::new);
        return FunctionDescriptor.of(all[0], Arrays.copyOfRange(all, 1, all.length));
    }

    /// The reason why this machine does not support these calls, or null if it does.
    static @Nullable String obstacle() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            return "epoll is a facility of Linux";
        }
        return LINKER.defaultLookup().find("epoll_wait").isEmpty() ? "the C library lacks epoll" : null;
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
            MemorySegment text = (MemorySegment) known(STRERROR).invokeExact(errno);
            return text.reinterpret(256).getString(0);
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// True if the C library and the kernel have [#EPOLL_PWAIT2], and no sandbox forbids it.
    static boolean waitsInNanos() {
        MethodHandle wait = EPOLL_PWAIT2;
        if (wait == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = errnoHolder(arena);
            MemorySegment none = MemorySegment.NULL;
            int _ = result(() -> (int) wait.invokeExact(errno, -1, none, 1, none, none));
            return errno(errno) == EBADF;
        }
    }

    /// Lets timers of this thread expire on time instead of up to 50 us later, the Linux default.
    static void sharpenTimers(MemorySegment errno) {
        int _ = result(() -> (int) known(PRCTL).invokeExact(errno, PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L));
    }

    /// @throws IllegalStateException when the downcall throws; an error of the C function is in its result
    static int result(Call call) {
        try {
            return call.result();
        } catch (Throwable failure) {
            throw unexpected(failure);
        }
    }

    /// A downcall declares Throwable, but throws none itself.
    static RuntimeException unexpected(Throwable failure) {
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }
}
