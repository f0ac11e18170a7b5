package kvant.bench.engine;

/// An engine in a comparison, used as its documentation recommends. Any thread may call it.
interface Contender extends AutoCloseable {

    String name();

    /// The size limit of its cache, as reported by the engine.
    long cacheBytes();

    /// Writes without waiting for a disk. Returns when the write is accepted, perhaps before it is applied.
    void put(byte[] key, byte[] value);

    /// Waits until every accepted write has been applied.
    void settle();

    /// Waits until every accepted write has been applied, and no flush or merge is left.
    void rest();

    /// Submits another write, as durable as that of [#putDurably]; waits while too many are unfinished.
    ///
    /// @return whether the engine can do that without a thread for each write
    boolean putDurablyLater(byte[] key, byte[] value);

    /// Writes and waits until the write is durable.
    void putDurably(byte[] key, byte[] value);

    /// @return whether the key was found
    boolean get(byte[] key);

    /// Reads every record.
    ///
    /// @return their number
    long scan();

    @Override
    void close();
}
