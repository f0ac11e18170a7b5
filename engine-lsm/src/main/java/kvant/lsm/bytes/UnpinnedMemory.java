package kvant.lsm.bytes;

import java.lang.foreign.Arena;

/// Memory that its readers do not pin, so that it may be closed while they read.
public final class UnpinnedMemory {

    private UnpinnedMemory() {}

    /// Closes its arena, and returns false when it was being read just then: try again later.
    public static boolean tryClose(Arena arena) {
        try {
            arena.close();
            return true;
        } catch (IllegalStateException e) {
            return !arena.scope().isAlive();
        }
    }

    /// Called where a read met memory that was being closed. HotSpot ends such a read by an asynchronous exception, and
    /// interrupts the thread as it did for `Thread.stop`: a later wait or file of the caller would fail of it. An
    /// interrupt that another thread makes at that moment is lost with it.
    public static void dropInterrupt() {
        boolean _ = Thread.interrupted();
    }
}
