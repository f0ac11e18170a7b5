package kvant.load.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Threads with realtime priority on Linux: they run immediately, before every ordinary thread of the machine. A
/// generator thread that wakes up waits neither for the time slice of a server thread nor for that of another thread of
/// its process, such as a compiler thread, which may take some milliseconds (`SCHED_FIFO`, `sched(7)`).
///
/// Threads started by them have ordinary priority.
public final class Realtime {

    private static final int SCHED_FIFO = 1;
    private static final int SCHED_RESET_ON_FORK = 0x40000000;

    /// The lowest realtime priority: above ordinary threads, and below those of the kernel.
    private static final int PRIORITY = 1;

    private static final int EPERM = 1;

    private static final @Nullable MethodHandle PTHREAD_SELF = Libc.find("pthread_self", Libc.shape("p"));
    private static final @Nullable MethodHandle PTHREAD_SETSCHEDPARAM =
            Libc.find("pthread_setschedparam", Libc.shape("ipip"));

    private Realtime() {}

    /// Gives the calling thread realtime priority.
    ///
    /// @return the reason for a failure, or empty
    public static String enter() {
        if (Libc.obstacle() != null || PTHREAD_SELF == null || PTHREAD_SETSCHEDPARAM == null) {
            return "it takes Linux, and a C library with pthread_setschedparam";
        }
        if (!Libc.waitsInNanos()) {
            return "a wait has whole milliseconds here, and its rest would keep a processor busy";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment priority = arena.allocateFrom(ValueLayout.JAVA_INT, PRIORITY); // struct sched_param
            MemorySegment self = (MemorySegment) PTHREAD_SELF.invokeExact();
            int policy = SCHED_FIFO | SCHED_RESET_ON_FORK;
            int failed = (int) PTHREAD_SETSCHEDPARAM.invokeExact(self, policy, priority);
            return switch (failed) {
                case 0 -> "";
                case EPERM -> Libc.explain(EPERM) + " (it takes CAP_SYS_NICE, or 'ulimit -r' above 0)";
                default -> Libc.explain(failed);
            };
        } catch (Throwable failure) {
            throw Libc.unexpected(failure);
        }
    }

    /// The reason why threads of this process cannot have realtime priority, or empty if they can.
    public static String obstacle() {
        String[] found = {"the thread that tried has failed"};
        Thread one = Thread.ofPlatform().name("kvant-load-policy").start(() -> found[0] = enter());
        boolean interrupted = false;
        while (one.isAlive()) {
            try {
                one.join();
            } catch (InterruptedException _) {
                interrupted = true; // the thread ends at once
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return found[0];
    }
}
