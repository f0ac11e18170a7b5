package kvant.move.copy;

/// Receives the progress of a copy, often; called by its thread.
public interface Progress {

    /// All records up to a key are durable in the target.
    void copied(CopyState state);

    /// So many records have been compared.
    void compared(long records, long bytes, byte[] key);
}
