package kvant.archive;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An object with the changes between two versions, as its name tells it.
///
/// @param epoch in which it was written
/// @param from the version before its first change
/// @param to the version of its last change
/// @param firstMillis the smallest of the times of its changes
/// @param lastMillis the largest of them
/// @param bytes of the object
public record LogObject(int epoch, long from, long to, long firstMillis, long lastMillis, long bytes) {

    private static final Pattern NAME = Pattern.compile("(\\d{8})-(\\d{17})-(\\d{17})-(\\d{15})-(\\d{15})");

    /// The object of a name in the folder of logs, or null where it is another file.
    static @Nullable LogObject of(String name, long bytes) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            return null;
        }
        return new LogObject(
                Integer.parseInt(parts.group(1)),
                Long.parseLong(parts.group(2)),
                Long.parseLong(parts.group(3)),
                Long.parseLong(parts.group(4)),
                Long.parseLong(parts.group(5)),
                bytes);
    }

    /// With its folder.
    String name() {
        return ArchiveFormat.LOGS + "/" + ArchiveFormat.epoch(epoch) + "-" + ArchiveFormat.version(from) + "-"
                + ArchiveFormat.version(to) + "-" + ArchiveFormat.millis(firstMillis) + "-"
                + ArchiveFormat.millis(lastMillis);
    }

    /// Whether it holds all that another one holds.
    boolean covers(LogObject other) {
        return epoch == other.epoch && from <= other.from && to >= other.to && !equals(other);
    }
}
