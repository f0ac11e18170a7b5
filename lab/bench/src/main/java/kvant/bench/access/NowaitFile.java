package kvant.bench.access;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// A file that is read by `preadv2` with `RWF_NOWAIT` (Linux 4.14), which fails instead of waiting for the disk.
/// Belongs to one thread.
@SuppressWarnings("restricted") // calls of the operating system
final class NowaitFile implements AutoCloseable {

    private static final int RWF_NOWAIT = 8;
    private static final int READ_ONLY = 0;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle PREADV2 = function(
            "preadv2",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT));

    private final Arena arena = Arena.ofConfined();
    private final int descriptor;
    private final MemorySegment buffer;
    private final MemorySegment vector;

    NowaitFile(Path path, int bufferBytes) throws IOException {
        this.buffer = arena.allocate(bufferBytes, bufferBytes);
        this.vector = arena.allocate(2 * ValueLayout.JAVA_LONG.byteSize(), Long.BYTES);
        vector.set(ValueLayout.ADDRESS, 0, buffer);
        vector.set(ValueLayout.JAVA_LONG, Long.BYTES, bufferBytes);
        try {
            this.descriptor = (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), READ_ONLY);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (descriptor < 0) {
            throw new IOException("cannot open " + path);
        }
    }

    /// @return what the buffer holds now
    /// @throws IllegalStateException when the bytes are not all in memory
    MemorySegment read(long offset) {
        long bytes;
        try {
            bytes = (long) PREADV2.invokeExact(descriptor, vector, 1, offset, RWF_NOWAIT);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (bytes != buffer.byteSize()) {
            throw new IllegalStateException("would block");
        }
        return buffer;
    }

    @Override
    public void close() {
        try {
            int _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        arena.close();
    }

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
    }
}
