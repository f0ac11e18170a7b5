package kvant.load.dialect;

/// Encodes requests in the protocol of one kind of server. Each method returns the position after the request. Nothing
/// is allocated while values have the same length.
///
/// Belongs to one loop.
public interface RequestEncoder {

    int get(long key, boolean missing, byte[] into, int at);

    int put(long key, int valueBytes, byte[] into, int at);

    int delete(long key, byte[] into, int at);

    /// A scan of the first `limit` records from a key on.
    int scan(long key, int limit, byte[] into, int at);

    /// Maximum length of a request with a value of this length.
    int mostBytes(int valueBytes);
}
