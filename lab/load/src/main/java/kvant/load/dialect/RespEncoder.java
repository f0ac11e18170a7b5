package kvant.load.dialect;

import static kvant.load.http.RequestForm.bytes;

import kvant.load.http.RequestForm;
import kvant.load.keys.KeyText;
import kvant.load.keys.Values;

/// Redis commands as arrays of bulk strings: `GET KEY`, `SET KEY VALUE`, `DEL KEY`. Keys have a fixed length, so that
/// only the key, the value and its length vary.
final class RespEncoder implements RequestEncoder {

    private static final byte[] LINE_END = bytes("\r\n");
    private static final byte[] VALUE = bytes("\r\n$");
    private static final int MOST_BESIDES = 64;

    private final byte[] get;
    private final byte[] getMissing;
    private final byte[] set;
    private final byte[] delete;
    private final byte[] prefix;
    private final int digits;

    RespEncoder(KeyText keys) {
        this.prefix = keys.prefixBytes();
        this.digits = keys.digits();
        int length = prefix.length + digits;
        this.get = command(2, "GET", length);
        this.getMissing = command(2, "GET", length + 1);
        this.set = command(3, "SET", length);
        this.delete = command(2, "DEL", length);
    }

    private static byte[] command(int words, String name, int keyBytes) {
        return bytes("*" + words + "\r\n$" + name.length() + "\r\n" + name + "\r\n$" + keyBytes + "\r\n");
    }

    @Override
    public int get(long key, boolean missing, byte[] into, int at) {
        return RequestForm.copy(LINE_END, into, keyed(missing ? getMissing : get, key, missing, into, at));
    }

    @Override
    public int put(long key, int valueBytes, byte[] into, int at) {
        int end = RequestForm.copy(VALUE, into, keyed(set, key, false, into, at));
        end = RequestForm.copy(LINE_END, into, RequestForm.number(valueBytes, into, end));
        Values.write(key, valueBytes, into, end);
        return RequestForm.copy(LINE_END, into, end + valueBytes);
    }

    @Override
    public int delete(long key, byte[] into, int at) {
        return RequestForm.copy(LINE_END, into, keyed(delete, key, false, into, at));
    }

    @Override
    public int scan(long key, int limit, byte[] into, int at) {
        throw new IllegalStateException("Redis has no ranges of keys in their order");
    }

    private int keyed(byte[] command, long key, boolean missing, byte[] into, int at) {
        return KeyText.write(prefix, digits, key, missing, into, RequestForm.copy(command, into, at));
    }

    @Override
    public int mostBytes(int valueBytes) {
        return MOST_BESIDES + prefix.length + digits + 1 + valueBytes;
    }
}
