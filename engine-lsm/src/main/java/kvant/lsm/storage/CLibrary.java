package kvant.lsm.storage;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Functions of the C library that this process runs with.
final class CLibrary {

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
}
