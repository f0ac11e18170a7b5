package kvant.lsm.storage;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Has the kernel write parts of a file to the disk before it would by itself (`sync_file_range` of Linux). Nothing is
/// durable by that: neither the size of the file nor the cache of the disk takes part. Where there is no such call,
/// nothing happens.
///
/// The file is opened anew each time. Who waits for pages is told of their failures, once for each open file: were it
/// the one that is written, a later `fdatasync` could succeed although data is lost.
final class Writeback {

    // Of Linux.
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int WAIT_BEFORE = 1;
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

    /// Begins with a piece of a file, once the piece before it is written: so the disk has two at most to do, and a
    /// log waits behind no more.
    ///
    /// @param before where the piece before it begins
    /// @return whether the kernel took it
    static boolean begin(Path file, long before, long from, long to) {
        if (OPEN == null || CLOSE == null || SYNC_FILE_RANGE == null || from >= to) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) OPEN.invokeExact(arena.allocateFrom(file.toString()), O_RDONLY_CLOEXEC);
            if (descriptor < 0) {
                return false;
            }
            if (before < from) {
                int _ = (int) SYNC_FILE_RANGE.invokeExact(descriptor, before, from - before, WAIT_BEFORE);
            }
            int result = (int) SYNC_FILE_RANGE.invokeExact(descriptor, from, to - from, WRITE);
            int _ = (int) CLOSE.invokeExact(descriptor);
            return result == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("sync_file_range cannot be called", e); // it takes what it is given
        }
    }
}
