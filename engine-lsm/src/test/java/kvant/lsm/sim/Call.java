package kvant.lsm.sim;

/// One call of a storage.
///
/// @param number counted from 1, over the life of the storage
/// @param file its name, or empty for a call that concerns the directory
public record Call(long number, Operation operation, String file) {

    /// The kind of the call.
    public enum Operation {
        LIST,
        CREATE,
        WRITE,
        SYNC,
        PREALLOCATE,
        TRUNCATE,
        MAP,
        RENAME,
        DELETE,
        SYNC_DIRECTORY,
        USABLE_BYTES
    }

    @Override
    public String toString() {
        return number + ":" + operation + (file.isEmpty() ? "" : "(" + file + ")");
    }
}
