package kvant.load.dialect;

import static kvant.load.http.RequestForm.bytes;

import java.util.Base64;
import kvant.load.http.RequestForm;
import kvant.load.keys.KeyText;
import kvant.load.keys.Values;

/// Requests to etcd's JSON gateway, which supports only `POST`: keys and values in base64 inside an object.
///
///     POST /v3/kv/put HTTP/1.1 CRLF ... Content-Length: LENGTH CRLF CRLF {"key":"KEY","value":"VALUE"}
///
/// The JDK encodes base64 with vector instructions, and needs arrays of the exact length: these are reused while values
/// have the same length.
final class EtcdEncoder implements RequestEncoder {

    private static final byte[] HEAD_END = bytes("\r\n\r\n");
    private static final byte[] KEY = bytes("{\"key\":\"");
    private static final byte[] VALUE = bytes("\",\"value\":\"");

    /// Scans to the last key: a range end of the byte 0 means no end.
    private static final byte[] LIMIT = bytes("\",\"range_end\":\"AA==\",\"limit\":");

    private static final byte[] TEXT_END = bytes("\"}");
    private static final byte[] NUMBER_END = bytes("}");
    private static final int MOST_BESIDES = 128;

    // Constant.
    private final byte[] put;
    private final byte[] range;
    private final byte[] delete;
    private final byte[] prefix;
    private final int digits;
    private final Base64.Encoder base64 = Base64.getEncoder();
    private final Scratch key;
    private final Scratch missingKey;

    // Owned by the loop.
    private Scratch value = new Scratch(0);

    /// Plain bytes, and a buffer for their base64.
    private record Scratch(byte[] plain, byte[] text) {
        Scratch(int bytes) {
            this(new byte[bytes], new byte[textBytes(bytes)]);
        }
    }

    EtcdEncoder(String base, String head, KeyText keys) {
        this.put = start(base + "/v3/kv/put", head);
        this.range = start(base + "/v3/kv/range", head);
        this.delete = start(base + "/v3/kv/deleterange", head);
        this.prefix = keys.prefixBytes();
        this.digits = keys.digits();
        this.key = new Scratch(prefix.length + digits);
        this.missingKey = new Scratch(prefix.length + digits + 1);
    }

    private static byte[] start(String path, String head) {
        return bytes("POST " + path + " HTTP/1.1\r\n" + head + "Content-Length: ");
    }

    private static int textBytes(int bytes) {
        return (bytes + 2) / 3 * 4;
    }

    @Override
    public int get(long number, boolean missing, byte[] into, int at) {
        Scratch text = keyText(number, missing);
        int end = open(range, KEY.length + text.text.length + TEXT_END.length, text, into, at);
        return RequestForm.copy(TEXT_END, into, end);
    }

    @Override
    public int put(long number, int valueBytes, byte[] into, int at) {
        if (value.plain.length != valueBytes) {
            value = new Scratch(valueBytes);
        }
        Values.write(number, valueBytes, value.plain, 0);
        int _ = base64.encode(value.plain, value.text);
        Scratch text = keyText(number, false);
        int length = KEY.length + text.text.length + VALUE.length + value.text.length + TEXT_END.length;
        int end = RequestForm.copy(VALUE, into, open(put, length, text, into, at));
        return RequestForm.copy(TEXT_END, into, RequestForm.copy(value.text, into, end));
    }

    @Override
    public int delete(long number, byte[] into, int at) {
        Scratch text = keyText(number, false);
        int end = open(delete, KEY.length + text.text.length + TEXT_END.length, text, into, at);
        return RequestForm.copy(TEXT_END, into, end);
    }

    @Override
    public int scan(long number, int limit, byte[] into, int at) {
        Scratch text = keyText(number, false);
        int length = KEY.length + text.text.length + LIMIT.length + digits(limit) + NUMBER_END.length;
        int end = RequestForm.copy(LIMIT, into, open(range, length, text, into, at));
        return RequestForm.copy(NUMBER_END, into, RequestForm.number(limit, into, end));
    }

    private static int digits(int number) {
        int digits = 1;
        for (int rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private Scratch keyText(long number, boolean missing) {
        Scratch text = missing ? missingKey : key;
        int _ = KeyText.write(prefix, digits, number, missing, text.plain, 0);
        int _ = base64.encode(text.plain, text.text);
        return text;
    }

    /// Writes the request up to the end of the key.
    ///
    /// @param length of the body
    private static int open(byte[] start, int length, Scratch key, byte[] into, int at) {
        int end = RequestForm.number(length, into, RequestForm.copy(start, into, at));
        end = RequestForm.copy(KEY, into, RequestForm.copy(HEAD_END, into, end));
        return RequestForm.copy(key.text, into, end);
    }

    @Override
    public int mostBytes(int valueBytes) {
        return MOST_BESIDES + delete.length + missingKey.text.length + textBytes(valueBytes);
    }
}
