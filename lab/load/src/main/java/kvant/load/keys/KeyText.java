package kvant.load.keys;

import java.nio.charset.StandardCharsets;
import kvant.text.Check;

/// The text of a key: a prefix and a number of fixed width, so that keys sort like their numbers.
///
/// A key that is certainly missing is an existing one plus one character. It lies between two existing keys, so that a
/// store cannot recognize it by its key range.
///
/// @param prefix letters, digits, `-`, `_`, `.`, `~`: characters that need no escape in a URL
/// @param digits width of the number
public record KeyText(String prefix, int digits) {

    public static final KeyText DEFAULT = new KeyText("k", 11);

    private static final int MOST_DIGITS = 18;
    private static final byte MISSING_MARK = 'x';

    public KeyText {
        Check.that(
                prefix.matches("[A-Za-z0-9._~-]{0,200}") && digits >= 1 && digits <= MOST_DIGITS,
                "a key needs a prefix of letters, digits and -._~, and a number of 1 to " + MOST_DIGITS + " digits");
    }

    public byte[] prefixBytes() {
        return prefix.getBytes(StandardCharsets.US_ASCII);
    }

    /// Maximum length of a key.
    public int mostBytes() {
        return prefix.length() + MOST_DIGITS + 2;
    }

    /// Number of different keys of this width.
    public long capacity() {
        long capacity = 1;
        for (int i = 0; i < digits; i++) {
            capacity *= 10;
        }
        return capacity;
    }

    /// Writes a key and returns the position after it.
    public static int write(byte[] prefix, int digits, long key, boolean missing, byte[] into, int at) {
        System.arraycopy(prefix, 0, into, at, prefix.length);
        int end = at + prefix.length + digits;
        long rest = key;
        for (int i = end - 1; i >= at + prefix.length; i--) {
            long next = rest / 10;
            into[i] = (byte) ('0' + (rest - next * 10));
            rest = next;
        }
        if (missing) {
            into[end++] = MISSING_MARK;
        }
        return end;
    }
}
