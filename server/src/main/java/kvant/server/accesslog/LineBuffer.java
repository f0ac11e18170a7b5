package kvant.server.accesslog;

import java.nio.ByteBuffer;

/// Lines that have not been written. Puts nothing but visible ASCII, without quotation marks and backslashes, between
/// what the program itself says: no request breaks out of its line, its field or its string.
final class LineBuffer {

    private static final int CAPACITY = 64 << 10;

    /// Longer than any line: of all that requests say, there is a bound.
    private static final int LONGEST_LINE = 4 << 10;

    private static final int MAX_TEXT = 128;
    private static final int DECIMAL = 10;
    private static final int MAX_DIGITS = 20;
    private static final int DELETE = 0x7f;
    private static final int DIGIT_MASK = 0xf;
    private static final int HEX_SHIFT = 4;
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'};

    private final byte[] bytes = new byte[CAPACITY];
    private int length;
    private int lines;

    boolean hasRoom() {
        return length <= CAPACITY - LONGEST_LINE;
    }

    int lines() {
        return lines;
    }

    /// What the program says, ASCII.
    @SuppressWarnings("deprecation") // of other text it would take one byte of each character; it copies without a loop
    LineBuffer say(String words) {
        words.getBytes(0, words.length(), bytes, length);
        length += words.length();
        return this;
    }

    /// What somebody else says; what could mean something in a line is `?`.
    LineBuffer quote(String text) {
        int end = Math.min(text.length(), MAX_TEXT);
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            bytes[length++] = isPlain(c) ? (byte) c : (byte) '?';
        }
        return this;
    }

    /// The same of ASCII.
    LineBuffer quote(byte[] text) {
        int end = Math.min(text.length, MAX_TEXT);
        for (int i = 0; i < end; i++) {
            bytes[length++] = isPlain((char) (text[i] & 0xff)) ? text[i] : (byte) '?';
        }
        return this;
    }

    /// The first bytes of a key as in a URL, percent-encoded but for those that no URL needs encoded, and `...` where
    /// it goes on.
    LineBuffer key(byte[] key, int most) {
        for (int i = 0; i < Math.min(key.length, most); i++) {
            byte b = key[i];
            if (isUnreserved(b)) {
                bytes[length++] = b;
            } else {
                bytes[length++] = '%';
                bytes[length++] = HEX[b >> HEX_SHIFT & DIGIT_MASK];
                bytes[length++] = HEX[b & DIGIT_MASK];
            }
        }
        return key.length > most ? say("...") : this;
    }

    LineBuffer decimal(long number) {
        long rest = Math.max(0, number);
        int end = length + MAX_DIGITS;
        int at = end;
        do {
            bytes[--at] = (byte) ('0' + rest % DECIMAL);
            rest /= DECIMAL;
        } while (rest > 0);
        System.arraycopy(bytes, at, bytes, length, end - at);
        length += end - at;
        return this;
    }

    void endLine() {
        bytes[length++] = '\n';
        lines++;
    }

    /// What is there, to be written.
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    void clear() {
        length = 0;
        lines = 0;
    }

    private static boolean isPlain(char c) {
        return c > ' ' && c < DELETE && c != '"' && c != '\\';
    }

    private static boolean isUnreserved(byte b) {
        return b >= '0' && b <= '9'
                || b >= 'a' && b <= 'z'
                || b >= 'A' && b <= 'Z'
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~';
    }
}
