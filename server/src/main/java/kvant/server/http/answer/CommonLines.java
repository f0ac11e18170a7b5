package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The lines that every final answer has: `Date`, made anew once a second, and what keeps a browser from taking a value
/// for a page, a script or an image of another site, whatever its bytes look like. Owned by one event loop.
public final class CommonLines {

    private static final long MILLIS_PER_SECOND = 1000;

    /// `IMF-fixdate` of RFC 9110, section 5.6.7.
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private static final String FOR_BROWSERS =
            "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n";

    // Constant.
    private final InstantSource clock;

    // Owned by the event loop.
    private long second = Long.MIN_VALUE;
    private byte[] lines = {};

    public CommonLines(InstantSource clock) {
        this.clock = clock;
    }

    /// The lines with the line ends before and after them.
    byte[] get() {
        long now = clock.millis() / MILLIS_PER_SECOND;
        if (now != second) {
            second = now;
            String date = FORMAT.format(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC));
            lines = ("\r\nDate: " + date + "\r\n" + FOR_BROWSERS).getBytes(StandardCharsets.US_ASCII);
        }
        return lines;
    }
}
