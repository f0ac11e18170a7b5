package kvant.bench.attack;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Requests as bytes, for raw sockets.
final class Requests {

    private static final String HOST = "127.0.0.1";

    private Requests() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Method, path and lines of a request without a body; `Host` is the node's.
    static byte[] head(String line, String... headers) {
        return headFor(HOST, line, headers);
    }

    static byte[] headFor(String host, String line, String... headers) {
        return ascii(openHeadFor(host, line, headers) + "\r\n");
    }

    /// A head that goes on.
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

    /// With its body, and the end of the connection after it.
    static byte[] closing(String line, byte[] body, String... headers) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        String head = openHeadFor(HOST, line, headers);
        request.writeBytes(ascii(head + "Connection: close\r\nContent-Length: " + body.length + "\r\n\r\n"));
        request.writeBytes(body);
        return request.toByteArray();
    }

    static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    /// The same text so many times.
    static byte[] repeated(String text, int times) {
        return ascii(text.repeat(times));
    }
}
