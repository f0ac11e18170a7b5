package kvant.bench.engine;

/// One engine in a comparison, used as its documentation recommends. Any thread may call it.
interface Contender extends AutoCloseable {

    String name();

    /// Bound of its cache, as the engine itself knows it.
    long cacheBytes();

    /// Writes without waiting for a disk; returns when the write is accepted, perhaps before it is applied.
    void put(byte[] key, byte[] value);

    /// Waits until every accepted write has been applied.
    void settle();

    /// Waits until every accepted write has been applied, and nothing is left to flush or to merge.
    void rest();

    /// Has one more write under way, as durable as [#putDurably] makes it; waits while there are too many.
    ///
    /// @return whether the engine can do that without a thread for each write
    boolean putDurablyLater(byte[] key, byte[] value);

    /// Writes and waits until the write is durable.
    void putDurably(byte[] key, byte[] value);

    /// @return whether the key was there
    boolean get(byte[] key);

    /// Reads every record.
    ///
    /// @return how many
    long scan();

    @Override
    void close();
}
