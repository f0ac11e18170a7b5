package kvant.server.resp.parse;

import java.nio.charset.StandardCharsets;

/// Reads the words of a command.
public final class Words {

    /// No command or option is longer.
    private static final int LONGEST_OPTION = 32;

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

    private static byte lower(byte b) {
        return b >= 'A' && b <= 'Z' ? (byte) (b + ('a' - 'A')) : b;
    }

    public static byte[] lower(byte[] word) {
        byte[] lower = word.clone();
        for (int i = 0; i < lower.length; i++) {
            lower[i] = lower(lower[i]);
        }
        return lower;
    }

    /// A word of options, in lower case; empty if it is too long to be one.
    public static String option(byte[] word) {
        return word.length > LONGEST_OPTION ? "" : new String(lower(word), StandardCharsets.ISO_8859_1);
    }

    public static String text(byte[] word) {
        return new String(word, StandardCharsets.UTF_8);
    }
}
