package kvant.engine;

/// Iterates over the records of one snapshot in key order.
///
///     while (cursor.next()) { use(cursor.key(), cursor.value()); }
///
/// Belongs to one thread at a time. Holds files and memory of its snapshot until closed, so close it early.
public interface Cursor extends AutoCloseable {

    /// Moves to the next record; may block on a disk.
    ///
    /// @return false at the end, and ever after
    /// @throws EngineException when the record cannot be read; the cursor cannot be used any more
    boolean next();

    /// The current record's key; valid after [#next] returned true.
    byte[] key();

    /// The current record's value; valid after [#next] returned true.
    byte[] value();

    /// The current record's version; valid after [#next] returned true.
    long version();

    /// The expiry time of the current record, as its put set it: wall-clock time in milliseconds since the epoch, or
    /// [Mutation.Put#NEVER] for a record without expiry. Valid after [#next] returned true. The time may have
    /// passed since the scan began.
    long expiresAtMillis();

    @Override
    void close();
}
