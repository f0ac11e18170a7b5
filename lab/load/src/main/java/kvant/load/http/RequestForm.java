package kvant.load.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The bytes of one kind of request, made once: what stands before the key, between key and length, and so on. A
/// request is then a few copies.
///
///     PUT /v0/entity?id= KEY  HTTP/1.1 CRLF Host: ... CRLF Content-Length: LENGTH CRLF CRLF BODY
///
/// @param beforeKey up to the key
/// @param afterKey between the key and the number (limit or length), or the rest
/// @param afterNumber what follows the number
public record RequestForm(byte[] beforeKey, byte[] afterKey, byte[] afterNumber) {

    /// Where a key goes in a template of a path.
    public static final String KEY = "{key}";

    /// Where the number of records goes in the path of a scan.
    public static final String LIMIT = "{limit}";

    /// Methods whose content means something, so that its absence is to be said too.
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

    /// @param path with one [#KEY]; a body of a length that varies follows
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

    /// The same request every time, whole.
    public static byte[] fixed(String method, String path, String head, byte[] body) {
        boolean said = body.length > 0 || WITH_CONTENT.contains(method); // RFC 9110, 8.6
        String length = said ? "Content-Length: " + body.length + "\r\n" : "";
        byte[] start = bytes(method + " " + path + " HTTP/1.1\r\n" + head + length + "\r\n");
        byte[] whole = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }

    /// The header lines that all requests share.
    public static String head(String authority, List<String> headers) {
        StringBuilder head = new StringBuilder();
        boolean named = headers.stream().anyMatch(header -> header.regionMatches(true, 0, "host:", 0, 5));
        if (!named) {
            head.append("Host: ").append(authority).append("\r\n");
        }
        headers.forEach(header -> head.append(header).append("\r\n"));
        return head.toString();
    }

    /// What stands in a request as it is.
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The longest this can be, without a body.
    public int mostBytes(int keyBytes) {
        return beforeKey.length + keyBytes + afterKey.length + LONGEST_NUMBER + afterNumber.length;
    }

    public static int copy(byte[] part, byte[] into, int at) {
        System.arraycopy(part, 0, into, at, part.length);
        return at + part.length;
    }

    /// Writes a number in decimal and returns where it ends.
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
