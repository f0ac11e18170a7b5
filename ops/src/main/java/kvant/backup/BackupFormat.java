package kvant.backup;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.text.UserException;

/// The text format of a backup's list of files, and the names of objects in a place for backups.
///
/// Format document: docs/formats/backup.md
final class BackupFormat {

    static final String LISTS = "backups";
    static final String FILES = "files";

    /// Longest accepted list, enough for a million files. Anything longer is not a list.
    static final int LONGEST_LIST_BYTES = 256 << 20;

    private static final String TITLE = "kvant backup ";
    private static final int VERSION = 1;
    private static final String END = "sha256=";
    private static final Pattern ID = Pattern.compile("\\d{8}T\\d{9}Z");
    private static final Pattern FILE =
            Pattern.compile("file=([0-9a-f]{64}) (\\d{1,18}) ([0-9a-f]{64}) ((?:[\\w-][\\w.-]*/){0,8}[\\w-][\\w.-]*)");

    private BackupFormat() {}

    static String list(String id) {
        return LISTS + "/" + id;
    }

    static String file(String sha256) {
        return FILES + "/" + sha256;
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    static byte[] encode(Backup backup) {
        StringBuilder text = new StringBuilder();
        text.append(TITLE).append(VERSION).append('\n');
        text.append("id=").append(backup.id()).append('\n');
        text.append("engine=").append(backup.engine()).append('\n');
        for (Backup.Stored file : backup.files()) {
            text.append("file=").append(file.sha256()).append(' ').append(file.bytes());
            text.append(' ').append(file.ends()).append(' ').append(file.path()).append('\n');
        }
        String end = END + Hashes.of(text.toString().getBytes(StandardCharsets.UTF_8)) + "\n";
        return text.append(end).toString().getBytes(StandardCharsets.UTF_8);
    }

    /// @param where location of the list, for error messages
    /// @throws UserException with a one-line message when it is not a list, is damaged, or has a newer version
    static Backup decode(String id, byte[] bytes, String where) {
        String text = text(bytes, where);
        int end = text.lastIndexOf(END);
        List<String> lines = text.lines().toList();
        if (lines.isEmpty() || !lines.getFirst().matches(TITLE + "[1-9][0-9]{0,8}")) {
            throw damaged(where);
        }
        int version = Integer.parseInt(lines.getFirst().substring(TITLE.length()));
        if (version > VERSION) { // before the checksum, whose algorithm may differ
            throw new UserException(where + " has format version " + version + ", this version of Kvant knows "
                    + VERSION + ": use the version that wrote it");
        }
        String body = text.substring(0, Math.max(0, end));
        if (end < 0 || !text.equals(body + END + Hashes.of(body.getBytes(StandardCharsets.UTF_8)) + "\n")) {
            throw damaged(where);
        }
        if (lines.size() < 4
                || !lines.get(1).equals("id=" + id)
                || !lines.get(2).matches("engine=[a-z]+")) {
            throw damaged(where);
        }
        String engine = lines.get(2).substring("engine=".length());
        return new Backup(id, engine, files(lines.subList(3, lines.size() - 1), where));
    }

    /// Parses the file lines. A path can only point into the restored directory, even in a forged list.
    private static List<Backup.Stored> files(List<String> lines, String where) {
        List<Backup.Stored> files = new ArrayList<>();
        Set<String> paths = new HashSet<>();
        for (String line : lines) {
            Matcher file = FILE.matcher(line);
            if (!file.matches() || !paths.add(file.group(4))) {
                throw damaged(where);
            }
            files.add(new Backup.Stored(file.group(4), Long.parseLong(file.group(2)), file.group(1), file.group(3)));
        }
        return files;
    }

    private static String text(byte[] bytes, String where) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw damaged(where);
        }
    }

    private static UserException damaged(String where) {
        return new UserException(where + " is damaged, or no list of a backup: delete that backup");
    }
}
