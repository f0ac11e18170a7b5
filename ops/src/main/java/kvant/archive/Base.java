package kvant.archive;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A backup to which changes are added, as the name of its mark tells it.
///
/// @param epoch in which it was made
/// @param version of the newest change in it
/// @param millis when it was made: all of it was written before
/// @param bytes of the store that it restores
/// @param id of the backup
public record Base(int epoch, long version, long millis, long bytes, String id) {

    private static final Pattern NAME = Pattern.compile("(\\d{8})-(\\d{17})-(\\d{15})-(\\d{15})-(\\d{8}T\\d{9}Z)");

    /// The base of a name in the folder of marks, or null where it is another file.
    static @Nullable Base of(String name) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            return null;
        }
        return new Base(
                Integer.parseInt(parts.group(1)),
                Long.parseLong(parts.group(2)),
                Long.parseLong(parts.group(3)),
                Long.parseLong(parts.group(4)),
                parts.group(5));
    }

    /// With its folder.
    String name() {
        return ArchiveFormat.BASES + "/" + ArchiveFormat.epoch(epoch) + "-" + ArchiveFormat.version(version) + "-"
                + ArchiveFormat.millis(millis) + "-" + ArchiveFormat.millis(bytes) + "-" + id;
    }
}
