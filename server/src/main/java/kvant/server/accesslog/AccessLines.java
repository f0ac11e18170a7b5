package kvant.server.accesslog;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import kvant.server.accesslog.AccessLog.AccessLogOptions.AccessLogStyle;

/// Formatted lines waiting to be written: the combined format of web servers with additional fields, or a JSON
/// object. Times are in whole microseconds, and the time of day, of the end of the answer, is UTC. Belongs to one
/// thread.
///
/// Foreign text is reduced to visible ASCII, without quotation marks and backslashes: no request can break out of its
/// line, its field or its string.
final class AccessLines {

    private static final int CAPACITY = 64 << 10;
    /// Longer than any line, because all parts of it are bounded.
    private static final int LONGEST_LINE = 4 << 10;

    private static final int MAX_TEXT = 128;
    private static final int DELETE = 0x7f;
    private static final String UNRESERVED = "-._~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final long NANOS_PER_MICRO = 1000;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final DateTimeFormatter IN_TEXT =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss '+0000'", Locale.ENGLISH);
    private static final DateTimeFormatter IN_JSON =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ENGLISH);
    private static final String MICRO_DIGITS = "000000";

    private final boolean json;
    private final DateTimeFormatter format;
    private final StringBuilder out = new StringBuilder(CAPACITY);
    int lines; // number of collected lines
    private long second = Long.MIN_VALUE;
    private String time = "";

    AccessLines(AccessLogStyle style) {
        json = style == AccessLogStyle.JSON;
        format = json ? IN_JSON : IN_TEXT;
    }

    boolean hasRoom() {
        return out.length() <= CAPACITY - LONGEST_LINE;
    }

    /// The collected lines, ready to be written.
    ByteBuffer content() {
        return StandardCharsets.US_ASCII.encode(CharBuffer.wrap(out));
    }

    void clear() {
        out.setLength(0);
        lines = 0;
    }

    /// @param endedMicros since 1970
    void put(AccessNote note, long endedMicros) {
        if (json) {
            json(note, note.asked, endedMicros);
        } else {
            text(note, note.asked, endedMicros);
        }
        out.append('\n');
        lines++;
    }

    private void text(AccessNote note, AccessNote.Asked asked, long endedMicros) {
        out.append(plain(asked.client())).append(" - ").append(plain(asked.token()));
        out.append(" [").append(timeOf(endedMicros)).append("] \"").append(asked.method());
        target(asked, " ");
        out.append(" ").append(asked.protocol()).append("\" ").append(note.status);
        out.append(" ").append(note.bytes).append(" \"-\" \"-\" ").append(micros(note.totalNanos()));
        stages(note.stages, " ", "=");
        out.append(" id=").append(plain(note.trace.idText())).append(" trace=");
        out.append(note.trace.parent() == null ? "-" : note.trace.traceText());
    }

    private void json(AccessNote note, AccessNote.Asked asked, long endedMicros) {
        String fraction = Long.toString(endedMicros % MICROS_PER_SECOND);
        out.append("{\"time\":\"").append(timeOf(endedMicros)).append(".");
        out.append(MICRO_DIGITS.substring(fraction.length())).append(fraction).append("Z\",\"client\":\"");
        out.append(plain(asked.client())).append("\",\"token\":\"").append(plain(asked.token()));
        out.append("\",\"method\":\"").append(asked.method());
        target(asked, "\",\"target\":\"");
        out.append("\",\"protocol\":\"").append(asked.protocol()).append("\",\"status\":");
        out.append(note.status).append(",\"bytes\":").append(note.bytes);
        out.append(",\"micros\":{\"total\":").append(micros(note.totalNanos()));
        stages(note.stages, ",\"", "\":");
        out.append("},\"requestId\":\"").append(plain(note.trace.idText()));
        out.append("\",\"traceId\":\"").append(note.trace.traceText()).append("\"}");
    }

    private void stages(AccessNote.Stages stages, String before, String is) {
        out.append(before).append("read").append(is).append(micros(stages.read()));
        out.append(before).append("queue").append(is).append(micros(stages.queue()));
        out.append(before).append("engine").append(is).append(micros(stages.engine()));
        out.append(before).append("deliver").append(is).append(micros(stages.deliver()));
        out.append(before).append("write").append(is).append(micros(stages.write()));
    }

    private void target(AccessNote.Asked asked, String before) {
        out.append(before).append(asked.path().isEmpty() ? "-" : asked.path());
        if (!asked.parameter().isEmpty()) {
            out.append("?").append(asked.parameter()).append("=");
            key(asked.key(), AccessNote.KEY_BYTES);
        }
    }

    /// Foreign text in a safe form: characters with a meaning in a line become `?`.
    private static String plain(String text) {
        char[] some = text.substring(0, Math.min(text.length(), MAX_TEXT)).toCharArray();
        for (int i = 0; i < some.length; i++) {
            char c = some[i];
            some[i] = c > ' ' && c < DELETE && c != '"' && c != '\\' ? c : '?';
        }
        return String.valueOf(some);
    }

    /// Writes the first bytes of a key as in a URL, percent-encoded except for those that no URL needs encoded, and
    /// `...` for the rest.
    private void key(byte[] key, int most) {
        for (int i = 0; i < Math.min(key.length, most); i++) {
            byte b = key[i];
            if (isUnreserved(b)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.toHighHexDigit(b)).append(HEX.toLowHexDigit(b));
            }
        }
        out.append(key.length > most ? "..." : "");
    }

    private static boolean isUnreserved(byte b) {
        return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || UNRESERVED.indexOf(b) >= 0;
    }

    private String timeOf(long micros) {
        long now = Math.floorDiv(micros, MICROS_PER_SECOND);
        if (now != second) {
            second = now;
            time = format.format(Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC));
        }
        return time;
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos) / NANOS_PER_MICRO;
    }
}
