package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;

/// How answers begin: the status line, and the lines up to where something of this answer stands. Which of them end
/// with a line end, their users know.
final class Heads {

    static final byte[] FOUND = ascii("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ");
    static final byte[] PART =
            ascii("HTTP/1.1 206 Partial Content\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ");
    static final byte[] NO_PART = ascii("\r\nContent-Range: bytes */");
    static final byte[] NOT_MODIFIED = ascii("HTTP/1.1 304 Not Modified\r\nContent-Length: ");
    static final byte[] STORED = ascii("HTTP/1.1 201 Created\r\nContent-Length: 0");
    static final byte[] DELETED = ascii("HTTP/1.1 202 Accepted\r\nContent-Length: 0");
    static final byte[] ALIVE = ascii("HTTP/1.1 200 OK\r\nContent-Length: 0");
    static final byte[] READY = ascii("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ");
    static final byte[] NOT_READY =
            ascii("HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ");
    static final byte[] PAGE = ascii("HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Type: ");
    static final byte[] LENGTH = ascii("\r\nContent-Length: ");
    static final byte[] OCTETS_HEAD = ascii("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream");
    static final byte[] CHUNKED = ascii("\r\nTransfer-Encoding: chunked");

    private Heads() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
