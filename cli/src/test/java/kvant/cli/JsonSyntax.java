package kvant.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Whether a text is one JSON value (RFC 8259). Arrays and objects without members inside are taken for scalars until
/// one is left, or none can be.
public final class JsonSyntax {

    private static final String SCALAR =
            "(?:\"(?:[^\"\\\\\\x00-\\x1f]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-f]{4})*+\"|-?\\d+(?:\\.\\d+)?|true|false|null)";
    private static final Pattern INNERMOST =
            Pattern.compile("\\[\\s*(?:S(?:\\s*,\\s*S)*+)?\\s*]|\\{\\s*(?:S\\s*:\\s*S(?:\\s*,\\s*S\\s*:\\s*S)*+)?\\s*}"
                    .replace("S", SCALAR));

    private JsonSyntax() {}

    public static boolean isJson(String text) {
        String left = text.strip();
        while (true) {
            Matcher innermost = INNERMOST.matcher(left);
            String next = innermost.replaceAll("0");
            if (next.equals(left)) {
                return left.equals("0");
            }
            left = next;
        }
    }
}
