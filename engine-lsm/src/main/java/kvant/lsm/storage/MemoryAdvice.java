package kvant.lsm.storage;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Tells the kernel how a mapping is going to be read (`madvise`). Where that is not possible, reads return the
/// same, and cold ones read more than they need, or wait for longer.
public final class MemoryAdvice {

    // The same on Linux, macOS and the BSDs.
    private static final int MADV_RANDOM = 1;
    private static final int MADV_WILLNEED = 3;

    /// Of the systems that are in use.
    private static final long LARGEST_PAGE_BYTES = 64 << 10;

    private static final @Nullable MethodHandle MADVISE = CLibrary.find(
            "madvise",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    private static final long PAGE_BYTES = pageBytes();

    private MemoryAdvice() {}

    /// Reads a missing page alone: otherwise the kernel reads as much around it as the device's `read_ahead_kb` sets.
    static void readsAreRandom(MemorySegment mapping) {
        advise(mapping, 0, mapping.byteSize(), MADV_RANDOM);
    }

    /// Has the kernel start reading a part of a mapped file, by one request, without waiting for it.
    ///
    /// @param mapping that begins at a page of the file
    public static void willBeRead(MemorySegment mapping, long offset, long length) {
        long first = offset - offset % PAGE_BYTES;
        advise(mapping, first, offset + length - first, MADV_WILLNEED);
    }

    private static void advise(MemorySegment mapping, long offset, long length, int advice) {
        if (MADVISE == null || !mapping.isMapped() || length == 0) {
            return;
        }
        try {
            int _ = (int) MADVISE.invokeExact(mapping.asSlice(offset, length), length, advice);
        } catch (Throwable e) {
            throw new IllegalStateException("madvise cannot be called", e); // its arguments are fixed
        }
    }

    private static long pageBytes() {
        MethodHandle getPageSize = CLibrary.find("getpagesize", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        if (getPageSize == null) {
            return LARGEST_PAGE_BYTES;
        }
        try {
            return (int) getPageSize.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("getpagesize cannot be called", e); // it takes nothing
        }
    }
}
