package kvant.bench;

/// One engine in a comparison, used the way its authors mean it to be used. Any thread may call it.
interface Contender extends AutoCloseable {

    String name();

    /// Writes without waiting for a disk; returns when the write is accepted, perhaps before it is applied.
    void put(byte[] key, byte[] value);

    /// Waits until every accepted write has been applied.
    void settle();

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
