package kvant.lsm.storage;

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
}
