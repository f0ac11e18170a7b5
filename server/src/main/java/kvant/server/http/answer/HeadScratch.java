package kvant.server.http.answer;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import kvant.server.http.contract.Bytes;

/// A reusable buffer in which the head of an answer is assembled, so that it is written in one piece.
///
/// Every final answer has `Date`, renewed once a second, and header lines that keep a browser from treating a value
/// as a page, a script or an image of another site, regardless of its bytes. One per event loop; keeps nothing else
/// between two heads.
public final class HeadScratch {

    static final byte[] LINE_END = ascii("\r\n");
    static final long NO_VERSION = -1;

    private static final byte[] ETAG = ascii("ETag: \"");
    private static final byte[] ETAG_END = ascii("\"\r\n");
    private static final byte[] REQUEST_ID = ascii("X-Request-Id: ");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");

    private static final int CAPACITY = 2048;
    private static final int MAX_DIGITS = 19;
    private static final int DECIMAL = 10;
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final long MILLIS_PER_SECOND = 1000;

    /// `IMF-fixdate` of RFC 9110, section 5.6.7.
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private static final String FOR_BROWSERS =
            "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n";

    // Constant.
    private final InstantSource clock;
    private final byte[] bytes = new byte[CAPACITY];

    // Owned by the event loop.
    private int length;
    private long second = Long.MIN_VALUE;
    private byte[] common = {};

    public HeadScratch(InstantSource clock) {
        this.clock = clock;
    }

    HeadScratch put(byte[] part) {
        System.arraycopy(part, 0, bytes, length, part.length);
        length += part.length;
        return this;
    }

    HeadScratch put(char c) {
        bytes[length++] = (byte) c;
        return this;
    }

    /// @param number not negative
    HeadScratch putDecimal(long number) {
        int end = length + MAX_DIGITS;
        int at = Bytes.putDecimal(bytes, end, number);
        System.arraycopy(bytes, at, bytes, length, end - at);
        length += end - at;
        return this;
    }

    /// Adds the header lines common to all answers, and the end of the head.
    ///
    /// @param version of the value, or [#NO_VERSION]
    HeadScratch end(Answer answer, long version) {
        put(commonLines()).put(answer.corsLines());
        byte[] id = answer.trace().id();
        if (id.length > 0) {
            put(REQUEST_ID).put(id).put(LINE_END);
        }
        if (version != NO_VERSION) {
            put(ETAG).putDecimal(version).put(ETAG_END);
        }
        if (answer.closes()) {
            put(CLOSE);
        } else if (answer.form().http10()) {
            put(KEEP_ALIVE);
        }
        return put(LINE_END);
    }

    /// The lines with the line ends before and after them.
    private byte[] commonLines() {
        long now = clock.millis() / MILLIS_PER_SECOND;
        if (now != second) {
            second = now;
            String date = FORMAT.format(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC));
            common = ("\r\nDate: " + date + "\r\n" + FOR_BROWSERS).getBytes(StandardCharsets.US_ASCII);
        }
        return common;
    }

    /// The status in the status line.
    int status() {
        int at = STATUS_AT;
        return ((bytes[at] - '0') * DECIMAL + bytes[at + 1] - '0') * DECIMAL + bytes[at + 2] - '0';
    }

    void moveTo(ByteBuf out) {
        out.writeBytes(bytes, 0, length);
        clear();
    }

    /// Discards a head in progress: other connections of the loop use the buffer, too.
    void clear() {
        length = 0;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
