package kvant.lsm.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Functions of the C library that this process runs with: hints to the kernel about the files of the store. Where one
/// of them is missing, nothing happens: reads return the same, and cold ones read more than they need, or wait for
/// longer.
public final class CLibrary {

    // The same on Linux, macOS and the BSDs.
    private static final int MADV_RANDOM = 1;
    private static final int MADV_WILLNEED = 3;

    // Of Linux.
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int SYNC_FILE_RANGE_WRITE = 2;

    /// Of the systems that are in use.
    private static final long LARGEST_PAGE_BYTES = 64 << 10;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final @Nullable MethodHandle MADVISE =
            find("madvise", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, LONG, INT));
    private static final @Nullable MethodHandle OPEN =
            find("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT));
    private static final @Nullable MethodHandle CLOSE = find("close", FunctionDescriptor.of(INT, INT));
    private static final @Nullable MethodHandle SYNC_FILE_RANGE =
            find("sync_file_range", FunctionDescriptor.of(INT, INT, LONG, LONG, INT));
    private static final long PAGE_BYTES = pageBytes();

    private CLibrary() {}

    /// @return null where there is no such function, or no native access for us
    @SuppressWarnings("restricted") // a call of the operating system
    static @Nullable MethodHandle find(String name, FunctionDescriptor types) {
        try {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), types);
        } catch (RuntimeException | LinkageError _) {
            return null;
        }
    }

    /// Reads pages of a mapping that are not in memory one by one: otherwise the kernel reads as much around each as
    /// the device's `read_ahead_kb` sets.
    public static void readsAreRandom(MemorySegment mapping) {
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
        MethodHandle getPageSize = find("getpagesize", FunctionDescriptor.of(INT));
        if (getPageSize == null) {
            return LARGEST_PAGE_BYTES;
        }
        try {
            return (int) getPageSize.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("getpagesize cannot be called", e); // it takes nothing
        }
    }

    /// Has the kernel write a part of a file back early. It makes nothing durable: neither the size of the file nor the
    /// cache of the disk takes part.
    ///
    /// The file is opened again each time: a writeback error is reported once for each open file, and the report
    /// for the file being written belongs to its `fdatasync`. The calls do not wait, as a wait would look like
    /// competition for a core.
    ///
    /// @return whether the kernel took it
    static boolean beginWriteback(Path file, long from, long to) {
        if (OPEN == null || CLOSE == null || SYNC_FILE_RANGE == null || from >= to) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), O_RDONLY_CLOEXEC);
            if (descriptor < 0) {
                return false;
            }
            int result = (int) SYNC_FILE_RANGE.invokeExact(descriptor, from, to - from, SYNC_FILE_RANGE_WRITE);
            int _ = (int) CLOSE.invokeExact(descriptor);
            return result == 0;
        } catch (Error e) {
            throw e; // of memory
        } catch (Throwable e) {
            throw new IllegalStateException("sync_file_range cannot be called", e); // its arguments are fixed
        }
    }
}
