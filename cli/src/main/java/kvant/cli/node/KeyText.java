package kvant.cli.node;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Bytes as one field of a line: UTF-8 with `%XX` for each byte of control characters and of `%`. Bytes that are not
/// UTF-8 have `%XX` for each byte outside of printable ASCII. The live page shows keys in the same way.
final class KeyText {

    private static final Pattern HIDDEN = Pattern.compile("[%\\p{C}\\p{Zl}\\p{Zp}]");
    private static final Pattern NOT_ASCII = Pattern.compile("[^ -~]|%");
    private static final Pattern ESCAPE = Pattern.compile("%([0-9a-fA-F]{2})?");
    private static final HexFormat HEX = HexFormat.of().withUpperCase().withPrefix("%");

    private KeyText() {}

    static String escape(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return HIDDEN.matcher(text)
                    .replaceAll(found -> HEX.formatHex(found.group().getBytes(StandardCharsets.UTF_8)));
        } catch (CharacterCodingException _) {
            return NOT_ASCII
                    .matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                    .replaceAll(found -> HEX.formatHex(found.group().getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    /// @throws IllegalArgumentException where a `%` has no two digits behind it
    static byte[] unescape(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Matcher found = ESCAPE.matcher(text);
        int at = 0;
        while (found.find()) {
            if (found.group(1) == null) {
                throw new IllegalArgumentException("'" + text + "': with --escaped a % has two hex digits behind it");
            }
            bytes.writeBytes(text.substring(at, found.start()).getBytes(StandardCharsets.UTF_8));
            bytes.write(HexFormat.fromHexDigits(found.group(1)));
            at = found.end();
        }
        bytes.writeBytes(text.substring(at).getBytes(StandardCharsets.UTF_8));
        return bytes.toByteArray();
    }
}
