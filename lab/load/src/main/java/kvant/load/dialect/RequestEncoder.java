package kvant.load.dialect;

/// Writes requests about keys as the bytes that one kind of server understands. Each method returns where
/// the request ends. Nothing is allocated while values have one length.
///
/// Owned by one loop.
public interface RequestEncoder {

    int get(long key, boolean missing, byte[] into, int at);

    int put(long key, int valueBytes, byte[] into, int at);

    int delete(long key, byte[] into, int at);

    /// The first `limit` records from a key on.
    int scan(long key, int limit, byte[] into, int at);

    /// The longest request, with a value of so many bytes.
    int mostBytes(int valueBytes);
}
