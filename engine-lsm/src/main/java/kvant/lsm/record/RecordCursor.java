package kvant.lsm.record;

/// Iterates over versioned records: keys ascending, and the versions of one key from the newest to the oldest.
///
/// It shows the record that it is on, in arrays that it may overwrite at the next move.
public interface RecordCursor extends RecordView {

    /// Moves to the first record whose key is at least this one.
    ///
    /// @return whether there is one
    boolean seek(byte[] key);

    /// Moves to the next record; after the last one, or before a seek, there is none.
    boolean next();
}
