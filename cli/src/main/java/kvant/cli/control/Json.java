package kvant.cli.control;

/// The one thing about JSON that is easy to get wrong.
public final class Json {

    private static final int FIRST_PRINTABLE = 0x20;

    private Json() {}

    /// A JSON string literal (RFC 8259, section 7).
    public static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < FIRST_PRINTABLE) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
