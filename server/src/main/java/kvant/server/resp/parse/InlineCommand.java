package kvant.server.resp.parse;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Words of a line that a person types: blanks between them, quotes around what holds blanks. In double quotes a
/// backslash begins an escape (`\n`, `\x00`), in single ones only `\'` is one.
final class InlineCommand {

    private static final int HEX = 16;

    // Constant.
    private final byte[] line;

    // Where reading stands.
    private int at;

    private InlineCommand(byte[] line) {
        this.line = line;
    }

    /// @return null where quotes do not end, or something follows them at once
    static @Nullable List<byte[]> words(byte[] line) {
        InlineCommand reader = new InlineCommand(line);
        List<byte[]> words = new ArrayList<>();
        while (reader.skipBlanks()) {
            byte[] word = reader.word();
            if (word == null) {
                return null;
            }
            words.add(word);
        }
        return words;
    }

    /// @return false at the end
    private boolean skipBlanks() {
        while (at < line.length && isBlank(line[at])) {
            at++;
        }
        return at < line.length;
    }

    private byte @Nullable [] word() {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        while (at < line.length && !isBlank(line[at])) {
            byte b = line[at++];
            if (b != '"' && b != '\'') {
                word.write(b);
            } else if (!quoted(b, word) || at < line.length && !isBlank(line[at])) {
                return null;
            }
        }
        return word.toByteArray();
    }

    private boolean quoted(byte quote, ByteArrayOutputStream word) {
        while (at < line.length) {
            byte b = line[at++];
            if (b == quote) {
                return true;
            }
            if (b == '\\' && at < line.length) {
                escape(quote, word);
            } else {
                word.write(b);
            }
        }
        return false;
    }

    private void escape(byte quote, ByteArrayOutputStream word) {
        byte b = line[at++];
        if (quote == '\'') {
            if (b != '\'') {
                word.write('\\');
            }
            word.write(b);
            return;
        }
        int hex = b == 'x' && at + 1 < line.length ? hex(line[at], line[at + 1]) : -1;
        if (hex >= 0) {
            at += 2;
            word.write(hex);
            return;
        }
        word.write(
                switch (b) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    case 'b' -> '\b';
                    case 'a' -> 7;
                    default -> b;
                });
    }

    private static int hex(byte first, byte second) {
        int high = Character.digit(first, HEX);
        int low = Character.digit(second, HEX);
        return high < 0 || low < 0 ? -1 : high * HEX + low;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == 0;
    }
}
