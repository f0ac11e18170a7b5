package kvant.lsm;

import java.util.Arrays;
import kvant.engine.Lookup;

/// Readable forms of answers, for comparisons and messages.
public final class Shown {

    private Shown() {}

    public static String of(Lookup lookup) {
        return switch (lookup) {
            case Lookup.Found found ->
                "version " + found.version() + ", " + found.value().length + " bytes, hash "
                        + Arrays.hashCode(found.value());
            case Lookup.Described described ->
                "version " + described.version() + ", " + described.length() + " bytes, not read";
            case Lookup.Miss miss -> miss.name();
        };
    }

    /// Bytes that no terminal shows, as numbers.
    public static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().forEach(each -> {
            if (each >= ' ' && each < 0x7F) {
                shown.append((char) each);
            } else {
                shown.append("\\x%02x".formatted(each));
            }
        });
        return shown.toString();
    }
}
