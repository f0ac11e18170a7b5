package kvant.move.copy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import kvant.engine.directory.OwnFiles;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// The state of a copy on disk: a few lines of text, the last of which is a checksum of the others. It is replaced
/// atomically, so that a crash leaves either the old state or the new one.
///
/// Format document: docs/formats/copy-state.md
public final class StateFile {

    private static final String FIRST_LINE = "kvant copy state 1";
    private static final Pattern TEXT = Pattern.compile(FIRST_LINE
            + "\nfrom=([^\n]*)\nto=([^\n]*)\noverwrites=(true|false)\nkey=((?:[0-9a-f]{2})*)\nrecords=(\\d{1,18})"
            + "\nbytes=(\\d{1,18})\nfinished=(true|false)\n(checksum=[0-9a-f]{8}\n)");

    private final Path path;

    public StateFile(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /// @return null if there is no file
    /// @throws UserException when it cannot be read, or is damaged
    public @Nullable CopyState read() {
        String text;
        try {
            text = Files.readString(path);
        } catch (NoSuchFileException _) {
            return null;
        } catch (CharacterCodingException _) {
            throw damaged();
        } catch (IOException e) {
            throw new UserException("cannot read the state " + path + ": " + reason(e), e);
        }
        return parse(text);
    }

    private CopyState parse(String text) {
        Matcher lines = TEXT.matcher(text);
        if (!lines.matches() || !lines.group(8).equals(checksum(text.substring(0, lines.start(8))))) {
            throw damaged();
        }
        String key = lines.group(4);
        return new CopyState(
                lines.group(1),
                lines.group(2),
                Boolean.parseBoolean(lines.group(3)),
                key.isEmpty() ? null : HexFormat.of().parseHex(key),
                Long.parseLong(lines.group(5)),
                Long.parseLong(lines.group(6)),
                Boolean.parseBoolean(lines.group(7)));
    }

    /// Writes a temporary file, syncs it, and renames it over the old one.
    ///
    /// @throws UserException when it cannot be written
    public void write(CopyState state) {
        byte[] key = state.key();
        String content = FIRST_LINE
                + "\nfrom=" + state.from()
                + "\nto=" + state.to()
                + "\noverwrites=" + state.overwrites()
                + "\nkey=" + (key == null ? "" : HexFormat.of().formatHex(key))
                + "\nrecords=" + state.records()
                + "\nbytes=" + state.bytes()
                + "\nfinished=" + state.finished() + "\n";
        try {
            OwnFiles.replace(path, content + checksum(content));
        } catch (IOException e) {
            throw new UserException("cannot write the state " + path + ": " + reason(e), e);
        }
    }

    /// Deletes the state, since there is nothing to continue.
    public void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UserException("cannot delete the state " + path + ": " + reason(e), e);
        }
    }

    private UserException damaged() {
        return new UserException(
                path + " is damaged or not the state of a copy: delete it and start again with --overwrite");
    }

    private static String checksum(String content) {
        CRC32C crc = new CRC32C();
        crc.update(content.getBytes(StandardCharsets.UTF_8));
        return String.format(Locale.ROOT, "checksum=%08x\n", crc.getValue());
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }
}
