package kvant.lsm.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The compression of a data block's content.
///
/// Format document: docs/formats/table.md
public enum Compression {
    NONE(0),
    LZ4(1),
    ZSTD(2);

    /// Levels that [#parseLevels] takes a name for.
    public static final int MAX_LEVELS = 7;

    private final int code;

    Compression(int code) {
        this.code = code;
    }

    /// The byte behind a block.
    int code() {
        return code;
    }

    /// The bit in the footer of a table that has such blocks; 0 for [#NONE].
    int flag() {
        return code == 0 ? 0 : 1 << code - 1;
    }

    static @Nullable Compression ofCode(int code) {
        return switch (code) {
            case 0 -> NONE;
            case 1 -> LZ4;
            case 2 -> ZSTD;
            default -> null;
        };
    }

    /// Reads the notation for people: a name for level 0, level 1 and so on; the last one holds for all deeper ones.
    ///
    /// @throws IllegalArgumentException with the fault and the allowed names
    public static List<Compression> parseLevels(String text) {
        String[] names = text.split(",", -1);
        if (names.length > MAX_LEVELS) {
            throw new IllegalArgumentException(
                    "'" + text + "' names " + names.length + " levels; there are " + MAX_LEVELS);
        }
        List<Compression> levels = new ArrayList<>();
        for (String name : names) {
            levels.add(ofName(name.strip(), text));
        }
        return List.copyOf(levels);
    }

    private static Compression ofName(String name, String text) {
        for (Compression each : values()) {
            if (each.name().equalsIgnoreCase(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException("'" + name + "' in '" + text
                + "' is no compression: none, lz4 or zstd for each level, such as none,none,lz4,zstd");
    }
}
