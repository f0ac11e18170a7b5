package kvant.lsm.storage;

import java.lang.foreign.Arena;

/// An open file that its readers do not pin. Closing it unmaps it; a reader in the middle of a copy delays that.
public interface UnpinnedFile extends AutoCloseable {

    /// Unmaps the file. Costs a handshake with all threads, so it does not belong on the path of a request.
    ///
    /// @return false when it was being read just then: try again later
    boolean tryClose();

    @Override
    default void close() {
        while (!tryClose()) {
            Thread.onSpinWait();
        }
    }

    /// Closes the arena of its mapping.
    static boolean tryClose(Arena arena) {
        try {
            arena.close();
        } catch (IllegalStateException e) {
            return !arena.scope().isAlive();
        }
        return true;
    }
}
