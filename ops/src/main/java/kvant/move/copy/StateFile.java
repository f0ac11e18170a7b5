package kvant.move.copy;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import kvant.engine.directory.OwnFiles;
import org.jspecify.annotations.Nullable;

/// The state of a copy on disk: a few lines of text, the last of which is a checksum of the others. It is replaced
/// atomically, so that a crash leaves either the old state or the new one.
///
/// Format document: docs/formats/copy-state.md
public final class StateFile {

    private static final String FIRST_LINE = "kvant copy state 1";
    private static final List<String> FIELDS =
            List.of("from=", "to=", "overwrites=", "key=", "records=", "bytes=", "finished=");

    private final Path path;

    public StateFile(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /// @return null if there is no file
    /// @throws CopyException when it cannot be read, or is damaged
    public @Nullable CopyState read() {
        String text;
        try {
            text = Files.readString(path);
        } catch (NoSuchFileException _) {
            return null;
        } catch (CharacterCodingException _) {
            throw damaged();
        } catch (IOException e) {
            throw new CopyException("cannot read the state " + path + ": " + reason(e), e);
        }
        return parse(text);
    }

    private CopyState parse(String text) {
        int last = text.lastIndexOf("checksum=");
        String content = last < 0 ? text : text.substring(0, last);
        List<String> lines = content.lines().toList();
        if (!text.equals(content + checksum(content))
                || lines.size() != FIELDS.size() + 1
                || !lines.getFirst().equals(FIRST_LINE)) {
            throw damaged();
        }
        String[] values = new String[FIELDS.size()];
        for (int i = 0; i < values.length; i++) {
            String line = lines.get(i + 1);
            if (!line.startsWith(FIELDS.get(i))) {
                throw damaged();
            }
            values[i] = line.substring(FIELDS.get(i).length());
        }
        return new CopyState(
                values[0],
                values[1],
                Boolean.parseBoolean(values[2]),
                values[3].isEmpty() ? null : HexFormat.of().parseHex(values[3]),
                Long.parseLong(values[4]),
                Long.parseLong(values[5]),
                Boolean.parseBoolean(values[6]));
    }

    /// Writes a temporary file, syncs it, and renames it over the old one.
    ///
    /// @throws CopyException when it cannot be written
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
            throw new CopyException("cannot write the state " + path + ": " + reason(e), e);
        }
    }

    /// Deletes the state, since there is nothing to continue.
    public void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new CopyException("cannot delete the state " + path + ": " + reason(e), e);
        }
    }

    private CopyException damaged() {
        return new CopyException(
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
