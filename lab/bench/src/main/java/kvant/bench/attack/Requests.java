package kvant.bench.attack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Builds requests as bytes, for raw sockets.
final class Requests {

    private static final String HOST = "127.0.0.1";

    private Requests() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// A request without a body, from its first line and headers; `Host` is the node's.
    static byte[] head(String line, String... headers) {
        return headFor(HOST, line, headers);
    }

    static byte[] headFor(String host, String line, String... headers) {
        return ascii(openHeadFor(host, line, headers) + "\r\n");
    }

    /// The start of a head, without its end.
    static String openHeadFor(String host, String line, String... headers) {
        StringBuilder head = new StringBuilder(line)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head.toString();
    }

    static String openHead(String line, String... headers) {
        return openHeadFor(HOST, line, headers);
    }

    static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    /// A text repeated several times.
    static byte[] repeated(String text, int times) {
        return ascii(text.repeat(times));
    }
}
