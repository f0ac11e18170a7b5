package kvant.backup;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.text.UserException;

/// A text format: a title with the version of the format, lines, and a checksum over both.
///
/// @param title first words of the first line
/// @param version that this version of Kvant writes, and the newest that it reads
/// @param otherwise continues the message about an object that is not of this format
public record SealedText(String title, int version, String otherwise) {

    private static final String END = "sha256=";

    /// @param lines each with its line feed
    public byte[] seal(String lines) {
        return seal(version, lines);
    }

    private byte[] seal(int written, String lines) {
        String body = title + " " + written + "\n" + lines;
        String sum = Hashes.of(body.getBytes(StandardCharsets.UTF_8));
        return (body + END + sum + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// The lines of an object.
    ///
    /// @param where location of the object, for messages
    /// @throws UserException in one line when it is damaged, of another format, or of a newer version
    public String open(byte[] bytes, String where) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        Matcher first = Pattern.compile(title + " ([1-9]\\d{0,8})\n").matcher(text);
        if (!first.lookingAt()) {
            throw damaged(where);
        }
        int written = Integer.parseInt(first.group(1));
        if (written > version) { // before the checksum, whose algorithm may differ
            throw new UserException(where + " has format version " + written + ", this version of Kvant knows "
                    + version + ": use the version that wrote it");
        }
        String lines = text.substring(first.end(), Math.max(first.end(), text.lastIndexOf(END)));
        if (!Arrays.equals(bytes, seal(written, lines))) { // also where the bytes are not UTF-8
            throw damaged(where);
        }
        return lines;
    }

    public UserException damaged(String where) {
        return new UserException(where + " is damaged, or " + otherwise);
    }
}
