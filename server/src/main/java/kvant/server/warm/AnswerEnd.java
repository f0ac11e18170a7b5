package kvant.server.warm;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Finds the end of an answer among bytes that come in pieces. It knows the answers of this node alone: a length, or
/// chunks without trailers.
final class AnswerEnd {

    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String LAST_CHUNK = "0\r\n\r\n";
    private static final String NOT_MODIFIED = "http/1.1 304 ";
    private static final String LENGTH = "content-length:";

    /// Of an answer that is not whole.
    private final StringBuilder seen = new StringBuilder();

    void begin() {
        seen.setLength(0);
    }

    /// Whether the answer ends with these bytes.
    ///
    /// @param count of those that count
    boolean isWhole(byte[] bytes, int count) {
        seen.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
        int head = seen.indexOf(END_OF_HEAD);
        if (head < 0) {
            return false;
        }
        int body = head + END_OF_HEAD.length();
        int length = length(head);
        return length >= 0
                ? seen.length() - body >= length
                : seen.length() - body >= LAST_CHUNK.length()
                        && seen.indexOf(LAST_CHUNK, seen.length() - LAST_CHUNK.length()) >= 0;
    }

    /// @return -1 where the body comes in chunks; 0 where there is none, as in a 304, whatever length that tells
    private int length(int head) {
        String lines = seen.substring(0, head).toLowerCase(Locale.ROOT);
        if (lines.startsWith(NOT_MODIFIED)) {
            return 0;
        }
        int at = lines.indexOf(LENGTH);
        if (at < 0) {
            return lines.contains("transfer-encoding:") ? -1 : 0;
        }
        int end = lines.indexOf('\r', at);
        return Integer.parseInt(lines.substring(at + LENGTH.length(), end < 0 ? lines.length() : end)
                .strip());
    }
}
