package kvant.bench.cluster;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Has the calling thread woken when it asked to be, rather than 50 microseconds later, as `kvant load` has its own:
/// both sides of the comparison must have the same delay.
final class TimerSlack {

    private static final int PR_SET_TIMERSLACK = 29;

    private TimerSlack() {}

    @SuppressWarnings("restricted") // a call of the operating system
    static void least() {
        Linker linker = Linker.nativeLinker();
        linker.defaultLookup().find("prctl").ifPresent(address -> {
            MethodHandle prctl = linker.downcallHandle(
                    address,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));
            try {
                int _ = (int) prctl.invokeExact(PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
            } catch (Throwable e) {
                throw new IllegalStateException("prctl", e);
            }
        });
    }
}
