package kvant.bench.attack.swarm;

import java.nio.charset.StandardCharsets;

/// Finds the heads of answers in received bytes, and skips the bytes in between.
///
/// Belongs to one thread.
final class HeadScanner {

    private static final String BEGIN = "HTTP/1.";
    private static final String END = "\r\n\r\n";
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int STATUS_DIGITS = 3;
    private static final int LONGEST_HEAD = 8 << 10;

    private final StringBuilder kept = new StringBuilder();

    void add(byte[] bytes, int length) {
        kept.append(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
    }

    /// @return the status code of the next complete head, 0 if there is none yet
    int next() {
        int begin = kept.indexOf(BEGIN);
        int end = begin < 0 ? -1 : kept.indexOf(END, begin);
        if (end >= 0 && end >= begin + STATUS_AT + STATUS_DIGITS) {
            String status = kept.substring(begin + STATUS_AT, begin + STATUS_AT + STATUS_DIGITS);
            kept.delete(0, end + END.length());
            return status.chars().allMatch(Character::isDigit) ? Integer.parseInt(status) : next();
        }
        if (begin < 0 && kept.length() > BEGIN.length()) {
            kept.delete(0, kept.length() - BEGIN.length()); // a body, which may end with the start of a head
        } else if (kept.length() > LONGEST_HEAD) {
            kept.setLength(0);
        }
        return 0;
    }
}
