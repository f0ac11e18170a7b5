package kvant.load.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// A prepared template for one kind of request: the bytes before the key, between key and length, and after it. Writing
/// a request then takes only a few copies.
///
///     PUT /v0/entity?id= KEY  HTTP/1.1 CRLF Host: ... CRLF Content-Length: LENGTH CRLF CRLF BODY
///
/// @param beforeKey bytes before the key
/// @param afterKey bytes between the key and the number (limit or length), or the rest
/// @param afterNumber bytes after the number
public record RequestForm(byte[] beforeKey, byte[] afterKey, byte[] afterNumber) {

    /// Placeholder for the key in the template of a path.
    public static final String KEY = "{key}";

    /// Placeholder for the number of records in the path of a scan.
    public static final String LIMIT = "{limit}";

    /// Methods that normally have content, so that its absence must be stated too.
    private static final Set<String> WITH_CONTENT = Set.of("POST", "PUT", "PATCH");

    private static final int LONGEST_NUMBER = 20;

    /// @param path with one [#KEY]
    public static RequestForm withKey(String method, String path, String head) {
        int key = path.indexOf(KEY);
        return new RequestForm(
                bytes(method + " " + path.substring(0, key)),
                bytes(path.substring(key + KEY.length()) + " HTTP/1.1\r\n" + head + "\r\n"),
                new byte[0]);
    }

    /// @param path with one [#KEY]; a body of variable length follows
    public static RequestForm withBody(String method, String path, String head) {
        int key = path.indexOf(KEY);
        return new RequestForm(
                bytes(method + " " + path.substring(0, key)),
                bytes(path.substring(key + KEY.length()) + " HTTP/1.1\r\n" + head + "Content-Length: "),
                bytes("\r\n\r\n"));
    }

    /// @param path with one [#KEY] and then one [#LIMIT]
    public static RequestForm withLimit(String method, String path, String head) {
        int key = path.indexOf(KEY);
        int limit = path.indexOf(LIMIT);
        return new RequestForm(
                bytes(method + " " + path.substring(0, key)),
                bytes(path.substring(key + KEY.length(), limit)),
                bytes(path.substring(limit + LIMIT.length()) + " HTTP/1.1\r\n" + head + "\r\n"));
    }

    /// A complete request that is the same every time.
    public static byte[] fixed(String method, String path, String head, byte[] body) {
        boolean said = body.length > 0 || WITH_CONTENT.contains(method); // RFC 9110, 8.6
        String length = said ? "Content-Length: " + body.length + "\r\n" : "";
        byte[] start = bytes(method + " " + path + " HTTP/1.1\r\n" + head + length + "\r\n");
        byte[] whole = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }

    /// The header lines common to all requests.
    public static String head(String authority, List<String> headers) {
        StringBuilder head = new StringBuilder();
        boolean named = headers.stream().anyMatch(header -> header.regionMatches(true, 0, "host:", 0, 5));
        if (!named) {
            head.append("Host: ").append(authority).append("\r\n");
        }
        headers.forEach(header -> head.append(header).append("\r\n"));
        return head.toString();
    }

    /// The text as bytes of a request, unescaped.
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Maximum length without a body.
    public int mostBytes(int keyBytes) {
        return beforeKey.length + keyBytes + afterKey.length + LONGEST_NUMBER + afterNumber.length;
    }

    public static int copy(byte[] part, byte[] into, int at) {
        System.arraycopy(part, 0, into, at, part.length);
        return at + part.length;
    }

    /// Writes a decimal number and returns the position after it.
    public static int number(long number, byte[] into, int at) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            into[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }
}
