package kvant.lsm.storage;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Objects;

/// The cached pages of a file (`cachestat`, Linux 6.5). Tests are left out where the kernel does not have it.
final class PageCache {

    private static final long CACHESTAT = 451; // on all processors
    private static final int DIRTY = 1;
    private static final int FIELDS = 5;

    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle SYSCALL = function(
            "syscall",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG));

    private PageCache() {}

    /// Pages of it that are dirty and not yet being written to the disk.
    static long dirtyPages(Path file, long offset, long length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment range = arena.allocateFrom(ValueLayout.JAVA_LONG, offset, length);
            MemorySegment counts = arena.allocate(ValueLayout.JAVA_LONG, FIELDS);
            assumeTrue(read(arena.allocateFrom(file.toString()), range, counts), "the kernel has no cachestat");
            return counts.getAtIndex(ValueLayout.JAVA_LONG, DIRTY);
        }
    }

    private static boolean read(MemorySegment file, MemorySegment range, MemorySegment counts) {
        try {
            int descriptor = (int) OPEN.invokeExact(file, 0);
            long result = (long) SYSCALL.invokeExact(CACHESTAT, (long) descriptor, range, counts, 0L);
            int _ = (int) CLOSE.invokeExact(descriptor);
            return result == 0;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor types) {
        return Objects.requireNonNull(CLibrary.find(name, types), name);
    }
}
