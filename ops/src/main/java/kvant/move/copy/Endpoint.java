package kvant.move.copy;

import kvant.engine.Cursor;
import kvant.engine.Write;

/// One end of a move: a store whose records can be read in order, and that takes new ones.
public interface Endpoint extends AutoCloseable {

    /// For messages and for the state of a copy, such as `directory DIR`.
    String name();

    /// Reads from a key on, itself included; the empty array is the start. As [kvant.engine.Engine#scan], but that
    /// the cursor may show several snapshots one after the other.
    Cursor scan(byte[] from);

    /// As [kvant.engine.Engine#submit(Write)].
    void submit(Write write);

    /// How many records one write should hold.
    int writeRecords();

    /// Whether another process decides by its own clock when a value expires, and takes life times in whole seconds
    /// from their arrival.
    boolean isRemote();

    @Override
    void close();
}
