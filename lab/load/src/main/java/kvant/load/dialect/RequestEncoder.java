package kvant.load.dialect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import kvant.load.keys.KeyText;
import kvant.load.keys.Values;

/// Encodes requests in the protocol of one kind of server, from a form for each operation: text with places for
/// keys, values and lengths. Each method returns the position after the request. Nothing is allocated while values
/// have the same length.
///
///     PUT /v0/entity?id= KEY  HTTP/1.1 CRLF Host: ... CRLF Content-Length: LENGTH CRLF CRLF VALUE
///
/// Belongs to one loop.
public final class RequestEncoder {

    /// A variable part of a request.
    enum Place {
        KEY,
        KEY_BYTES,
        VALUE,
        VALUE_BYTES,
        /// Number of records of a scan.
        LIMIT,
        /// Number of bytes after the empty line that follows.
        LENGTH,
        /// Nothing: the request ends.
        END
    }

    private record Part(byte[] text, Place then) {}

    /// A key or a value, and its base64; without base64 the same array twice. The JDK encodes base64 with vector
    /// instructions, and needs arrays of the exact length: these are reused while values have the same length.
    private record Scratch(byte[] plain, byte[] text) {}

    private static final int EMPTY_LINE_BYTES = 4;
    private static final int MOST_DIGITS = 20;

    // Constant.
    private final Part[] get;
    private final Part[] put;
    private final Part[] delete;
    private final Part[] scan;
    private final byte[] prefix;
    private final int digits;
    private final boolean encodes;
    private final Base64.Encoder base64 = Base64.getEncoder();
    private final Scratch key;
    private final Scratch missingKey;

    // Owned by the loop.
    private Scratch value;

    /// @param encodes whether keys and values are written in base64
    /// @param get a form: texts and places
    /// @param scan empty if the server does not support ranges
    RequestEncoder(KeyText keys, boolean encodes, List<?> get, List<?> put, List<?> delete, List<?> scan) {
        this.get = parts(get);
        this.put = parts(put);
        this.delete = parts(delete);
        this.scan = parts(scan);
        this.prefix = keys.prefixBytes();
        this.digits = keys.digits();
        this.encodes = encodes;
        this.key = scratch(prefix.length + digits);
        this.missingKey = scratch(prefix.length + digits + 1);
        this.value = scratch(0);
    }

    private static Part[] parts(List<?> form) {
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Object piece : form) {
            if (piece instanceof Place place) {
                parts.add(new Part(bytes(text.toString()), place));
                text.setLength(0);
            } else {
                text.append(piece);
            }
        }
        parts.add(new Part(bytes(text.toString()), Place.END));
        return parts.toArray(Part[]::new);
    }

    private Scratch scratch(int bytes) {
        byte[] plain = new byte[bytes];
        return new Scratch(plain, encodes ? new byte[textBytes(bytes)] : plain);
    }

    private int textBytes(int bytes) {
        return encodes ? (bytes + 2) / 3 * 4 : bytes;
    }

    /// A get, or the plain request.
    public int get(long number, boolean missing, byte[] into, int at) {
        return write(get, number, missing, 0, 0, into, at);
    }

    public int put(long number, int valueBytes, byte[] into, int at) {
        return write(put, number, false, valueBytes, 0, into, at);
    }

    public int delete(long number, byte[] into, int at) {
        return write(delete, number, false, 0, 0, into, at);
    }

    /// A scan of the first `limit` records from a key on.
    public int scan(long number, int limit, byte[] into, int at) {
        return write(scan, number, false, 0, limit, into, at);
    }

    private int write(Part[] form, long number, boolean missing, int valueBytes, int limit, byte[] into, int at) {
        Scratch keyText = missing ? missingKey : key;
        int _ = KeyText.write(prefix, digits, number, missing, keyText.plain, 0);
        encode(keyText);
        int keyBytes = keyText.text.length;
        int end = at;
        for (int i = 0; i < form.length; i++) {
            end = copy(form[i].text, into, end);
            end = switch (form[i].then) {
                case KEY -> copy(keyText.text, into, end);
                case KEY_BYTES -> number(keyBytes, into, end);
                case VALUE -> value(number, valueBytes, into, end);
                case VALUE_BYTES -> number(textBytes(valueBytes), into, end);
                case LIMIT -> number(limit, into, end);
                case LENGTH -> {
                    int rest = bytes(form, i + 1, keyBytes, textBytes(valueBytes), digits(limit));
                    yield number(rest - EMPTY_LINE_BYTES, into, end);
                }
                case END -> end;
            };
        }
        return end;
    }

    private void encode(Scratch scratch) {
        if (encodes) {
            int _ = base64.encode(scratch.plain, scratch.text);
        }
    }

    private int value(long number, int valueBytes, byte[] into, int at) {
        if (!encodes) {
            Values.write(number, valueBytes, into, at);
            return at + valueBytes;
        }
        if (value.plain.length != valueBytes) {
            value = scratch(valueBytes);
        }
        Values.write(number, valueBytes, value.plain, 0);
        encode(value);
        return copy(value.text, into, at);
    }

    private static int bytes(Part[] form, int from, int keyBytes, int valueBytes, int limitDigits) {
        int sum = 0;
        for (int i = from; i < form.length; i++) {
            sum += form[i].text.length;
            sum += switch (form[i].then) {
                case KEY -> keyBytes;
                case VALUE -> valueBytes;
                case LIMIT -> limitDigits;
                case KEY_BYTES, VALUE_BYTES, LENGTH -> MOST_DIGITS;
                case END -> 0;
            };
        }
        return sum;
    }

    /// Maximum length of a request with a value of this length.
    public int mostBytes(int valueBytes) {
        int keyBytes = missingKey.text.length;
        return Arrays.asList(get, put, delete, scan).stream()
                .mapToInt(form -> bytes(form, 0, keyBytes, textBytes(valueBytes), MOST_DIGITS))
                .max()
                .orElseThrow();
    }

    /// The text as bytes of a request, unescaped.
    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int copy(byte[] part, byte[] into, int at) {
        System.arraycopy(part, 0, into, at, part.length);
        return at + part.length;
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private static int number(long number, byte[] into, int at) {
        int end = at + digits(number);
        long rest = number;
        for (int i = end - 1; i >= at; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return end;
    }
}
