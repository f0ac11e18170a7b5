package kvant.server.execute;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Has a thread give way to others where there are fewer cores than threads that want one. Java's own priorities mean
/// nothing on Linux unless the whole JVM is told so.
///
/// On Linux `nice(2)` is for a thread, and for those that it starts, and lowering one's priority needs no privilege.
/// Elsewhere nothing happens: it would be the whole process.
@SuppressWarnings("restricted")
final class Niceness {

    private static final Logger LOGGER = System.getLogger(Niceness.class.getName());

    /// A third of the share of an ordinary thread, where both want the same core (`sched_prio_to_weight` in Linux).
    static final int BEHIND_EVENT_LOOPS = 5;

    /// Null where there is no such call, or no native access for us.
    private static final @Nullable MethodHandle NICE = find();

    private Niceness() {}

    /// Makes the calling thread nicer by so much; a hint, so that a failure is no error.
    static void raise(int by) {
        if (NICE != null) {
            try {
                int _ = (int) NICE.invokeExact(by);
            } catch (Throwable e) {
                LOGGER.log(Level.DEBUG, "this thread was not made nicer", e);
            }
        }
    }

    private static @Nullable MethodHandle find() {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return null;
        }
        try {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("nice"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        } catch (RuntimeException | LinkageError e) {
            LOGGER.log(Level.DEBUG, "threads cannot be made nicer here", e);
            return null;
        }
    }
}
