package kvant.server.http.contract;

import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import org.jspecify.annotations.Nullable;

/// The alphabets of HTTP (RFC 9110, section 5.6; RFC 3986), and walks over a buffer in terms of them.
///
/// Each walk goes through [ByteBuf#forEachByte], which checks bounds once instead of once per byte.
public final class Bytes {

    public static final byte CR = '\r';
    public static final byte LF = '\n';
    public static final byte SP = ' ';
    public static final byte HTAB = '\t';

    /// The result for text that is no number.
    public static final long NOT_A_NUMBER = -1;

    private static final int DELETE = 0x7f;
    private static final int DECIMAL = 10;
    private static final int HEX_SHIFT = 4;

    private static final boolean[] TOKEN = table("!#$%&'*+-.^_`|~");
    private static final byte[] HEX = hexDigits();

    /// Continues while a byte may stand in a header value; bytes beyond ASCII may (obs-text).
    private static final ByteProcessor IN_VALUE = b -> (b >= SP && b != DELETE) || b == HTAB || b < 0;

    private static final ByteProcessor IN_TOKEN = b -> b >= 0 && TOKEN[b];

    /// Continues while a byte may stand in a request target: visible ASCII, except for the start of a fragment.
    private static final ByteProcessor IN_TARGET = b -> b > SP && b != DELETE && b != '#';

    private Bytes() {}

    public static boolean isFieldValue(ByteBuf in, int from, int to) {
        return in.forEachByte(from, to - from, IN_VALUE) < 0;
    }

    public static boolean isToken(ByteBuf in, int from, int to) {
        return to > from && in.forEachByte(from, to - from, IN_TOKEN) < 0;
    }

    public static boolean isTarget(ByteBuf in, int from, int to) {
        return to > from && in.forEachByte(from, to - from, IN_TARGET) < 0;
    }

    /// @return index of the byte, or `to`
    public static int find(ByteBuf in, int from, int to, byte wanted) {
        int index = from < to ? in.indexOf(from, to, wanted) : -1;
        return index < 0 ? to : index;
    }

    public static int skipBlanks(ByteBuf in, int from, int to) {
        int i = from;
        while (i < to && isBlank(in.getByte(i))) {
            i++;
        }
        return i;
    }

    public static int trimBlanks(ByteBuf in, int from, int to) {
        int i = to;
        while (i > from && isBlank(in.getByte(i - 1))) {
            i--;
        }
        return i;
    }

    public static boolean isBlank(byte b) {
        return b == SP || b == HTAB;
    }

    /// Whether the range is this word.
    public static boolean equals(ByteBuf in, int from, int to, byte[] word) {
        if (to - from != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (in.getByte(from + i) != word[i]) {
                return false;
            }
        }
        return true;
    }

    /// Whether the range is this word, which is in lower case, in any case.
    public static boolean equalsIgnoreCase(ByteBuf in, int from, int to, byte[] lowerCase) {
        if (to - from != lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if (lower(in.getByte(from + i)) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /// @return the number of one or more decimal digits, or [#NOT_A_NUMBER] where there is something else
    ///     or it does not fit
    public static long decimal(ByteBuf in, int from, int to) {
        if (from >= to) {
            return NOT_A_NUMBER;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = in.getByte(i) - '0';
            if (digit < 0 || digit >= DECIMAL || number > (Long.MAX_VALUE - digit) / DECIMAL) {
                return NOT_A_NUMBER;
            }
            number = number * DECIMAL + digit;
        }
        return number;
    }

    /// Writes a number in decimal digits that end before an index.
    ///
    /// @return the index of its first byte
    public static int putDecimal(byte[] to, int end, long number) {
        int at = end;
        long rest = number;
        do {
            to[--at] = (byte) ('0' + Math.abs(rest % DECIMAL)); // of the least number there is no absolute value
            rest /= DECIMAL;
        } while (rest != 0);
        if (number < 0) {
            to[--at] = '-';
        }
        return at;
    }

    /// Whether there are decimal digits, and nothing else.
    public static boolean isDigits(ByteBuf in, int from, int to) {
        for (int i = from; i < to; i++) {
            if (in.getByte(i) < '0' || in.getByte(i) > '9') {
                return false;
            }
        }
        return from < to;
    }

    /// @return value of a hexadecimal digit, or a negative number
    public static int hexDigit(byte b) {
        return b < 0 ? -1 : HEX[b];
    }

    /// Bytes that a percent-encoded range stands for.
    ///
    /// @return null when a percent sign is not followed by two hexadecimal digits
    public static byte @Nullable [] percentDecode(ByteBuf in, int from, int to) {
        int escapes = 0;
        for (int i = find(in, from, to, (byte) '%'); i < to; i = find(in, i + 1, to, (byte) '%')) {
            escapes++;
        }
        if (escapes > (to - from) / 3) {
            return null;
        }
        byte[] decoded = new byte[to - from - 2 * escapes];
        if (escapes == 0) {
            in.getBytes(from, decoded);
            return decoded;
        }
        int at = from;
        for (int i = 0; i < decoded.length; i++) {
            byte b = in.getByte(at++);
            if (b == '%') {
                int value = at + 2 > to ? -1 : hexDigit(in.getByte(at)) << HEX_SHIFT | hexDigit(in.getByte(at + 1));
                if (value < 0) {
                    return null;
                }
                b = (byte) value;
                at += 2;
            }
            decoded[i] = b;
        }
        return at == to ? decoded : null;
    }

    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
    }

    private static boolean[] table(String punctuation) {
        boolean[] allowed = new boolean[DELETE + 1];
        for (char c = 0; c < allowed.length; c++) {
            boolean letterOrDigit = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
            allowed[c] = punctuation.indexOf(c) >= 0 || letterOrDigit;
        }
        return allowed;
    }

    private static byte[] hexDigits() {
        byte[] digits = new byte[DELETE + 1];
        for (char c = 0; c < digits.length; c++) {
            digits[c] = (byte) Character.digit(c, 1 << HEX_SHIFT);
        }
        return digits;
    }
}
