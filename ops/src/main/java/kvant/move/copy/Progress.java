package kvant.move.copy;

/// Receives the progress of a copy, at short intervals, on the copying thread.
public interface Progress {

    /// All records up to a key are durable in the target.
    void copied(CopyState state);

    /// A number of records has been compared.
    void compared(long records, long bytes, byte[] key);
}
