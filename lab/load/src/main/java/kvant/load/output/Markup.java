package kvant.load.output;

/// Text for elements and attributes of HTML and XML.
public final class Markup {

    private Markup() {}

    /// Escapes markup characters; a character that is invalid in XML becomes a space.
    public static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(isOfXml(c) ? c : ' ');
            }
        }
        return escaped.toString();
    }

    private static boolean isOfXml(char c) {
        return c >= ' ' ? c < '\uFFFE' : c == '\n' || c == '\t';
    }
}
