package kvant.server.http.answer;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The `Date` line, made anew once a second. Owned by one event loop.
public final class HttpDate {

    private static final long MILLIS_PER_SECOND = 1000;

    /// `IMF-fixdate` of RFC 9110, section 5.6.7.
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

    private final InstantSource clock;
    private long second = Long.MIN_VALUE;
    private byte[] lines = {};

    public HttpDate(InstantSource clock) {
        this.clock = clock;
    }

    /// The line with the line ends before and after it.
    byte[] lines() {
        long now = clock.millis() / MILLIS_PER_SECOND;
        if (now != second) {
            second = now;
            String date = FORMAT.format(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC));
            lines = ("\r\nDate: " + date + "\r\n").getBytes(StandardCharsets.US_ASCII);
        }
        return lines;
    }
}
