package kvant.lsm.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Early writeback of parts of a file by the kernel (`sync_file_range` of Linux). It makes nothing durable: neither
/// the size of the file nor the cache of the disk takes part. Without that call, nothing happens.
///
/// The file is opened again each time: a writeback error is reported once for each open file, and the report for the
/// file being written belongs to its `fdatasync`. The calls do not wait, as a wait would look like competition for a
/// core.
final class Writeback {

    // Of Linux.
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int WRITE = 2;

    private static final @Nullable MethodHandle OPEN = CLibrary.find(
            "open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final @Nullable MethodHandle CLOSE =
            CLibrary.find("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final @Nullable MethodHandle SYNC_FILE_RANGE = CLibrary.find(
            "sync_file_range",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT));

    private Writeback() {}

    /// @return whether the kernel took it
    static boolean begin(Path file, long from, long to) {
        if (OPEN == null || CLOSE == null || SYNC_FILE_RANGE == null || from >= to) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), O_RDONLY_CLOEXEC);
            if (descriptor < 0) {
                return false;
            }
            int result = (int) SYNC_FILE_RANGE.invokeExact(descriptor, from, to - from, WRITE);
            int _ = (int) CLOSE.invokeExact(descriptor);
            return result == 0;
        } catch (Error e) {
            throw e; // of memory
        } catch (Throwable e) {
            throw new IllegalStateException("sync_file_range cannot be called", e); // its arguments are fixed
        }
    }
}
