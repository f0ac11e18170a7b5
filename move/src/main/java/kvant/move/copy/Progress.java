package kvant.move.copy;

/// Is told how a copy goes, often; called by its thread.
public interface Progress {

    /// All records up to a key are durable in the target.
    void copied(CopyState state);

    /// So many records have been compared.
    void compared(long records, long bytes, byte[] key);
}
