package kvant.prove.fault;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// The ioctl that ends a mounted file system at once, `EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN`: the same number.
final class Shutdown {

    private static final long REQUEST = 0x8004587DL;

    /// Neither data nor the journal is written.
    private static final int NO_LOG_FLUSH = 2;

    private Shutdown() {}

    /// @param directory of the file system, such as where it is mounted
    static void withoutFlush(Path directory) throws IOException {
        MethodHandle open = function("open", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        MethodHandle ioctl = function("ioctl", ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
        MethodHandle close = function("close", ValueLayout.JAVA_INT);
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) open.invokeExact(arena.allocateFrom(directory.toString()), 0);
            int result = (int)
                    ioctl.invokeExact(descriptor, REQUEST, arena.allocateFrom(ValueLayout.JAVA_INT, NO_LOG_FLUSH));
            int _ = (int) close.invokeExact(descriptor);
            if (descriptor < 0 || result != 0) {
                throw new IOException("the file system of " + directory + " does not shut down");
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // native calls throw nothing
        }
    }

    /// Of the C library. `open` and `ioctl` are variadic behind their second argument.
    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments);
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                type,
                Linker.Option.firstVariadicArg(Math.min(2, arguments.length)));
    }
}
