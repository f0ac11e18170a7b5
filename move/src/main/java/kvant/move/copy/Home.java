package kvant.move.copy;

import kvant.engine.Cursor;
import kvant.engine.Write;

/// One end of a move: a store whose records can be read in order, and that takes new ones.
public interface Home extends AutoCloseable {

    /// What it is to people and in the state of a copy, such as `directory DIR`.
    String name();

    /// Reads from a key on, itself included; the empty array is the start. As [kvant.engine.Engine#scan], but that
    /// the cursor may show several snapshots one after the other.
    Cursor scan(byte[] from);

    /// As [kvant.engine.Engine#submit(Write)].
    void submit(Write write);

    /// How many records one write had better hold.
    int writeRecords();

    /// Whether it is another process that judges by a clock of its own when a value expires, and takes life times in
    /// whole seconds from when they arrive.
    boolean isRemote();

    @Override
    void close();
}
