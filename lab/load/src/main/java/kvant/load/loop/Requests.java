package kvant.load.loop;

import kvant.load.workload.Operation;

/// Where a loop gets its requests. One is drawn at a time and stands until the next one is drawn.
public interface Requests {

    /// Draws the next request.
    ///
    /// @return false where there is none now
    boolean draw();

    /// Makes a put of this key the drawn request.
    void drawPut(long key);

    Operation operation();

    long key();

    /// Whether the key was chosen because it does not exist.
    boolean isMissing();

    /// Whether it puts a key that nobody has put before.
    boolean isNew();

    /// Writes the drawn request and returns where it ends.
    int write(byte[] into, int at);

    /// The longest request.
    int mostBytes();

    /// What became of a request.
    ///
    /// @param isNew whether it was a put of a new key
    void settled(boolean isNew, long key, boolean good);

    /// Whether there will be no more requests, and none is out.
    boolean isExhausted();
}
