package kvant.load.dialect;

import kvant.load.http.RequestForm;
import kvant.load.keys.KeyText;
import kvant.load.keys.Values;
import org.jspecify.annotations.Nullable;

/// HTTP requests with the key in the path and the value as the body.
final class HttpEncoder implements RequestEncoder {

    private final RequestForm get;
    private final RequestForm put;
    private final RequestForm delete;
    private final @Nullable RequestForm scan;
    private final byte[] prefix;
    private final int digits;
    private final int keyBytes;

    /// @param scan null if the server does not support ranges
    HttpEncoder(RequestForm get, RequestForm put, RequestForm delete, @Nullable RequestForm scan, KeyText keys) {
        this.get = get;
        this.put = put;
        this.delete = delete;
        this.scan = scan;
        this.prefix = keys.prefixBytes();
        this.digits = keys.digits();
        this.keyBytes = keys.mostBytes();
    }

    @Override
    public int get(long key, boolean missing, byte[] into, int at) {
        return keyed(get, key, missing, into, at);
    }

    @Override
    public int put(long key, int valueBytes, byte[] into, int at) {
        int end = RequestForm.number(valueBytes, into, keyed(put, key, false, into, at));
        end = RequestForm.copy(put.afterNumber(), into, end);
        Values.write(key, valueBytes, into, end);
        return end + valueBytes;
    }

    @Override
    public int delete(long key, byte[] into, int at) {
        return keyed(delete, key, false, into, at);
    }

    @Override
    public int scan(long key, int limit, byte[] into, int at) {
        if (scan == null) {
            throw new IllegalStateException("a server without ranges was asked for one");
        }
        int end = RequestForm.number(limit, into, keyed(scan, key, false, into, at));
        return RequestForm.copy(scan.afterNumber(), into, end);
    }

    private int keyed(RequestForm form, long key, boolean missing, byte[] into, int at) {
        int end = RequestForm.copy(form.beforeKey(), into, at);
        end = KeyText.write(prefix, digits, key, missing, into, end);
        return RequestForm.copy(form.afterKey(), into, end);
    }

    @Override
    public int mostBytes(int valueBytes) {
        int points = Math.max(get.mostBytes(keyBytes), Math.max(put.mostBytes(keyBytes), delete.mostBytes(keyBytes)));
        return Math.max(points, scan == null ? 0 : scan.mostBytes(keyBytes)) + valueBytes;
    }
}
