package kvant.server.resp.parse;

import java.nio.charset.StandardCharsets;

/// Reads the words of a command.
public final class Words {

    private static final int DECIMAL = 10;

    /// What is longer is no 64-bit number.
    private static final int MAX_DIGITS = 20;

    /// A word is not an integer of 64 bits as Redis writes them.
    public static final class NotAnIntegerException extends Exception {
        private static final long serialVersionUID = 1L;

        NotAnIntegerException() {
            super("not an integer", null, false, false);
        }
    }

    private Words() {}

    /// Whether a word is this one, which is in lower case, in any case.
    public static boolean is(byte[] word, String lowerCase) {
        if (word.length != lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (lower(word[i]) != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    public static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
    }

    public static byte[] lower(byte[] word) {
        byte[] lower = word.clone();
        for (int i = 0; i < lower.length; i++) {
            lower[i] = lower(lower[i]);
        }
        return lower;
    }

    public static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }

    /// A decimal number without blanks, a plus sign or leading zeros.
    public static long integer(byte[] word) throws NotAnIntegerException {
        boolean negative = word.length > 0 && word[0] == '-';
        int from = negative ? 1 : 0;
        boolean zero = word.length == from + 1 && word[from] == '0';
        if (word.length == from || word.length > MAX_DIGITS || word[from] == '0' && (negative || !zero)) {
            throw new NotAnIntegerException();
        }
        long number = 0;
        for (int i = from; i < word.length; i++) {
            int digit = word[i] - '0';
            if (digit < 0 || digit >= DECIMAL || number < (Long.MIN_VALUE + digit) / DECIMAL) {
                throw new NotAnIntegerException();
            }
            number = number * DECIMAL - digit; // below zero there is room for one number more
        }
        if (!negative && number == Long.MIN_VALUE) {
            throw new NotAnIntegerException();
        }
        return negative ? number : -number;
    }
}
