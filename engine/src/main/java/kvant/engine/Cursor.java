package kvant.engine;

/// Walks the records of one snapshot in key order, at the reader's own speed.
///
///     while (cursor.next()) { use(cursor.key(), cursor.value()); }
///
/// Belongs to one thread at a time. Holds files and memory of its snapshot until closed, so close it early.
public interface Cursor extends AutoCloseable {

    /// Moves to the next record; may block on a disk.
    ///
    /// @return false at the end, and ever after
    /// @throws EngineException when the record cannot be read; the cursor is then of no more use
    boolean next();

    /// The current record's key; valid after [#next] returned true.
    byte[] key();

    /// The current record's value; valid after [#next] returned true.
    byte[] value();

    /// The current record's version; valid after [#next] returned true.
    long version();

    @Override
    void close();
}
