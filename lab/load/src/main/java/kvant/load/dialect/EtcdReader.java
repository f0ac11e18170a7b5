package kvant.load.dialect;

import java.util.Arrays;
import kvant.load.http.ResponseParser;

/// Reads the answers of etcd's JSON gateway. A get of a missing key is answered by 200 and an object without `kvs`,
/// which becomes 404. The value is decoded from base64 for comparison.
///
///     {"header":{...},"kvs":[{"key":"...",...,"value":"BASE64"}],"count":"1"}
///
/// Base64 contains no quotes, so a quoted word is always the name of a member.
///
/// Owned by the loop of the connection.
final class EtcdReader extends ResponseParser {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final byte[] SIX_BITS = sixBits();
    private static final byte NONE = -1;

    // Constant.
    private final Marker records = new Marker("\"kvs\":");
    private final Marker value = new Marker("\"value\":\"");
    private final byte[] decoded = new byte[1024];

    private final BodyListener body = this::body;

    // Owned by the loop.
    private BodyListener listener = (_, _, _) -> {};
    private boolean valueEnded;
    private int bits;
    private int bitCount;
    private long valueBytes;

    private static byte[] sixBits() {
        byte[] table = new byte[256];
        Arrays.fill(table, NONE);
        String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < letters.length(); i++) {
            table[letters.charAt(i)] = (byte) i;
        }
        return table;
    }

    @Override
    public void reset() {
        super.reset();
        records.reset();
        value.reset();
        valueEnded = false;
        bits = 0;
        bitCount = 0;
        valueBytes = 0;
    }

    @Override
    public int status() {
        return super.status() == OK && listener.isRead() && !records.isFound() ? NOT_FOUND : super.status();
    }

    @Override
    public long bodyBytes() {
        return valueBytes;
    }

    @Override
    public int feed(byte[] bytes, int from, int to, BodyListener asked) {
        listener = asked;
        return super.feed(bytes, from, to, body);
    }

    private void body(byte[] bytes, int from, int to) {
        if (listener.isRead()) {
            int at = records.feed(bytes, from, to);
            at = records.isFound() ? value.feed(bytes, at, to) : at;
            if (value.isFound() && !valueEnded) {
                decode(bytes, at, to);
            }
        }
    }

    private void decode(byte[] bytes, int from, int to) {
        int length = 0;
        for (int at = from; at < to && !valueEnded; at++) {
            byte six = SIX_BITS[bytes[at] & 0xFF];
            if (six == NONE) {
                valueEnded = true; // padding, or the closing quote
                continue;
            }
            bits = (bits << 6) | six;
            bitCount += 6;
            if (bitCount >= Byte.SIZE) {
                bitCount -= Byte.SIZE;
                decoded[length++] = (byte) (bits >>> bitCount);
            }
            if (length == decoded.length) {
                tell(length);
                length = 0;
            }
        }
        tell(length);
    }

    /// The listener uses the length so far as the position of these bytes.
    private void tell(int length) {
        listener.body(decoded, 0, length);
        valueBytes += length;
    }
}
