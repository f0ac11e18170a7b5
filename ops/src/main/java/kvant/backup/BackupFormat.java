package kvant.backup;

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

    private static final SealedText TEXT = new SealedText("kvant backup", 1, "no list of a backup: delete that backup");
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
        text.append("id=").append(backup.id()).append('\n');
        text.append("engine=").append(backup.engine()).append('\n');
        for (Backup.Stored file : backup.files()) {
            text.append("file=").append(file.sha256()).append(' ').append(file.bytes());
            text.append(' ').append(file.ends()).append(' ').append(file.path()).append('\n');
        }
        return TEXT.seal(text.toString());
    }

    /// A path can only point into the restored directory, even in a forged list.
    ///
    /// @param where location of the list, for error messages
    /// @throws UserException with a one-line message when it is not a list, is damaged, or has a newer version
    static Backup decode(String id, byte[] bytes, String where) {
        List<String> lines = TEXT.open(bytes, where).lines().toList();
        if (lines.size() < 2
                || !lines.getFirst().equals("id=" + id)
                || !lines.get(1).matches("engine=[a-z]+")) {
            throw TEXT.damaged(where);
        }
        List<Backup.Stored> files = new ArrayList<>();
        Set<String> paths = new HashSet<>();
        for (String line : lines.subList(2, lines.size())) {
            Matcher file = FILE.matcher(line);
            if (!file.matches() || !paths.add(file.group(4))) {
                throw TEXT.damaged(where);
            }
            files.add(new Backup.Stored(file.group(4), Long.parseLong(file.group(2)), file.group(1), file.group(3)));
        }
        return new Backup(id, lines.get(1).substring("engine=".length()), files);
    }
}
