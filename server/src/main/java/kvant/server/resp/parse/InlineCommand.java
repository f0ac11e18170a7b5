package kvant.server.resp.parse;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Words of a line that a person types: blanks between them, quotes around what holds blanks. In double quotes a
/// backslash begins an escape (`\n`, `\x00`), in single ones only `\'` is one.
final class InlineCommand {

    private static final String BLANKS = " \t\0";
    private static final String ESCAPED = "nrtba";
    private static final String MEANING = "\n\r\t\b\7";

    private InlineCommand() {}

    /// @return null if quotes do not end, or something follows them at once
    static @Nullable List<byte[]> words(byte[] line) {
        List<byte[]> words = new ArrayList<>();
        ByteArrayOutputStream word = null;
        byte quote = 0; // that has not ended
        boolean ended = false; // quotes have, and the word with them
        for (int at = 0; at < line.length; at++) {
            byte b = line[at];
            if (quote == 0 && BLANKS.indexOf(b) >= 0) {
                if (word != null) {
                    words.add(word.toByteArray());
                }
                word = null;
                ended = false;
                continue;
            } else if (ended) {
                return null;
            }
            word = word == null ? new ByteArrayOutputStream() : word;
            if (quote == 0 && (b == '"' || b == '\'')) {
                quote = b;
            } else if (b == quote) {
                quote = 0;
                ended = true;
            } else if (quote == 0 || b != '\\' || at + 1 == line.length || quote == '\'' && line[at + 1] != '\'') {
                word.write(b);
            } else {
                int hex = hex(line, at + 1);
                int known = ESCAPED.indexOf(line[at + 1]);
                word.write(hex >= 0 ? hex : known >= 0 ? MEANING.charAt(known) : line[at + 1]);
                at += hex >= 0 ? 3 : 1;
            }
        }
        if (word != null) {
            words.add(word.toByteArray());
        }
        return quote == 0 ? words : null;
    }

    /// @return the byte that `x00` stands for, or a negative number if there is no such thing
    private static int hex(byte[] line, int at) {
        return line[at] == 'x' && at + 2 < line.length
                ? Character.digit(line[at + 1], 16) << 4 | Character.digit(line[at + 2], 16)
                : -1;
    }
}
