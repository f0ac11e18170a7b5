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

    ReplyText array(int elements) {
        return line("*" + elements);
    }

    /// In RESP2 an array of keys and values.
    ReplyText map(int entries) {
        return line(resp3 ? "%" + entries : "*" + 2 * entries);
    }

    ReplyText set(int elements) {
        return line((resp3 ? "~" : "*") + elements);
    }

    ReplyText number(long value) {
        return line(":" + value);
    }

    ReplyText status(String word) {
        return line("+" + word);
    }

    ReplyText nil() {
        return line(resp3 ? "_" : "$-1");
    }

    ReplyText bulk(String text) {
        return bulk(text.getBytes(StandardCharsets.UTF_8));
    }

    ReplyText bulks(String... texts) {
        for (String text : texts) {
            bulk(text);
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
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (!resp3) {
            return bulk(bytes);
        }
        line("=" + (bytes.length + "txt:".length()));
        out.writeBytes("txt:".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(bytes);
        return line("");
    }

    Reply reply() {
        return new Reply.Raw(out.toByteArray(), Reply.DONE);
    }

    ReplyText line(String line) {
        out.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        out.write('\r');
        out.write('\n');
        return this;
    }
}
