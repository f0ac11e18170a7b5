package kvant.move.copy;

import kvant.engine.Cursor;
import kvant.engine.Write;

/// One end of a move: a store that is read in key order and accepts writes.
public interface Endpoint extends AutoCloseable {

    /// Name for messages and for the state of a copy, such as `directory DIR`.
    String name();

    /// Scans from a key, inclusive; the empty array is the start. As [kvant.engine.Engine#scan], except that the cursor
    /// may show several snapshots in sequence.
    Cursor scan(byte[] from);

    /// As [kvant.engine.Engine#submit(Write)].
    void submit(Write write);

    /// Recommended number of records in a write.
    int writeRecords();

    /// True if another process expires values by its own clock, and takes a time to live in whole seconds, counted from
    /// the arrival of the write.
    boolean isRemote();

    @Override
    void close();
}
