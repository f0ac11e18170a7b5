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

    // Constant.
    private final byte[] line;

    // Position of the parser.
    private int at;

    private InlineCommand(byte[] line) {
        this.line = line;
    }

    /// @return null if quotes do not end, or something follows them at once
    static @Nullable List<byte[]> words(byte[] line) {
        InlineCommand reader = new InlineCommand(line);
        List<byte[]> words = new ArrayList<>();
        while (true) {
            while (reader.isIn(BLANKS)) {
                reader.at++;
            }
            if (reader.at == line.length) {
                return words;
            }
            ByteArrayOutputStream word = new ByteArrayOutputStream();
            if (!reader.word(word)) {
                return null;
            }
            words.add(word.toByteArray());
        }
    }

    private boolean isIn(String bytes) {
        return at < line.length && bytes.indexOf(line[at]) >= 0;
    }

    private boolean word(ByteArrayOutputStream word) {
        while (at < line.length && !isIn(BLANKS)) {
            byte b = line[at++];
            if (b != '"' && b != '\'') {
                word.write(b);
            } else if (!quoted(b, word) || at < line.length && !isIn(BLANKS)) {
                return false;
            }
        }
        return true;
    }

    private boolean quoted(byte quote, ByteArrayOutputStream word) {
        while (at < line.length) {
            byte b = line[at++];
            if (b == quote) {
                return true;
            } else if (b != '\\' || at == line.length || quote == '\'' && line[at] != '\'') {
                word.write(b);
            } else {
                word.write(escaped(line[at++]));
            }
        }
        return false;
    }

    private int escaped(byte b) {
        if (b == 'x' && at + 1 < line.length) {
            int high = Character.digit(line[at], 16);
            int low = Character.digit(line[at + 1], 16);
            if (high >= 0 && low >= 0) {
                at += 2;
                return high << 4 | low;
            }
        }
        int known = ESCAPED.indexOf(b);
        return known < 0 ? b : MEANING.charAt(known);
    }
}
