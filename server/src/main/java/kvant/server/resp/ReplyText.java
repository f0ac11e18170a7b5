package kvant.server.resp;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Puts together a reply that has a shape of its own, such as a map in an array.
final class ReplyText {

    // Constant.
    private final boolean resp3;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ReplyText(boolean resp3) {
        this.resp3 = resp3;
    }

    /// @param elements with blanks between them: `*2` an array, `%1` a map, `~1` a set, `:7` a number, `+word`,
    /// `$word`,
    ///     and `_` for nothing; RESP2 has arrays in the place of maps and sets
    ReplyText add(String elements) {
        for (String element : elements.split(" ")) {
            String rest = element.substring(1);
            switch (element.charAt(0)) {
                case '$' -> bulk(rest.getBytes(StandardCharsets.UTF_8));
                case '%' -> line(resp3 ? element : "*" + 2 * Integer.parseInt(rest));
                case '~' -> line(resp3 ? element : "*" + rest);
                case '_' -> line(resp3 ? element : "$-1");
                default -> line(element);
            }
        }
        return this;
    }

    ReplyText bulk(byte[] bytes) {
        line("$" + bytes.length);
        out.writeBytes(bytes);
        return line("");
    }

    /// Text for people: RESP3 says that it is.
    ReplyText text(String text) {
        byte[] bytes = ((resp3 ? "txt:" : "") + text).getBytes(StandardCharsets.UTF_8);
        line((resp3 ? "=" : "$") + bytes.length);
        out.writeBytes(bytes);
        return line("");
    }

    ReplyText line(String line) {
        out.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        out.write('\r');
        out.write('\n');
        return this;
    }

    Reply reply() {
        return new Reply.Raw(out.toByteArray(), Reply.DONE);
    }
}
