package kvant.server.service;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Has a thread let others go first where there are fewer cores than threads that want one. Java's own priorities
/// mean nothing on Linux unless the whole JVM is told so.
///
/// On Linux `nice(2)` is for a thread, and nobody needs a right to be nicer. Elsewhere nothing happens: it would be the
/// whole process.
@SuppressWarnings("restricted")
final class Niceness {

    private static final Logger LOGGER = System.getLogger(Niceness.class.getName());

    /// A third of the share of an ordinary thread, where both want the same core (`sched_prio_to_weight` in Linux).
    static final int BEHIND_EVENT_LOOPS = 5;

    private Niceness() {}

    /// Makes the calling thread nicer by so much; a hint, so that whatever is in its way is no error.
    static void raise(int by) {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle nice = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("nice"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int now = (int) nice.invokeExact(by);
            LOGGER.log(Level.DEBUG, "niceness is {0}", now);
        } catch (Throwable e) { // no such call, or no native access for us
            LOGGER.log(Level.DEBUG, "threads cannot be made nicer here", e);
        }
    }
}
