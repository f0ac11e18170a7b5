package kvant.lsm.storage;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Tells the kernel how a mapping is going to be read (`madvise`). Where that is not possible, reads return the
/// same, and cold ones read more than they need.
@SuppressWarnings("restricted") // a call of the operating system
final class MemoryAdvice {

    /// The same on Linux, macOS and the BSDs.
    private static final int MADV_RANDOM = 1;

    private static final @Nullable MethodHandle MADVISE = madvise();

    private MemoryAdvice() {}

    /// A page that is missing is read alone: without this, the kernel reads as much around it as the device's
    /// `read_ahead_kb` says.
    static void readsAreRandom(MemorySegment mapping) {
        if (MADVISE == null || !mapping.isMapped()) {
            return;
        }
        try {
            int _ = (int) MADVISE.invokeExact(mapping, mapping.byteSize(), MADV_RANDOM);
        } catch (Throwable e) {
            throw new IllegalStateException("madvise cannot be called", e); // it takes what it is given
        }
    }

    private static @Nullable MethodHandle madvise() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("madvise")
                .map(address -> linker.downcallHandle(
                        address,
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT)))
                .orElse(null);
    }
}
