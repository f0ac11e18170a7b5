package kvant.move.copy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// A key range whose records are not the same on both sides.
///
/// @param number of the range, from 1
/// @param firstKey where it begins
/// @param lastKey where it ends, itself included
/// @param source what the source has there, for a person
/// @param target what the target has there
/// @param missing records of the source that the target lacks
/// @param extra records that the target alone has
/// @param different keys whose value or end differs
/// @param key the first that differs
/// @param what is with that one: `missing`, `extra`, `different value` or `different life time`
public record RangeDifference(
        int number,
        byte[] firstKey,
        byte[] lastKey,
        String source,
        String target,
        long missing,
        long extra,
        long different,
        byte[] key,
        String what) {

    private static final int SHOWN_BYTES = 40;

    /// One line.
    @Override
    public String toString() {
        return "range " + number + " (" + text(firstKey) + " to " + text(lastKey) + "): source " + source + ", target "
                + target + "; " + missing + " missing, " + extra + " extra, " + different + " different; the first is "
                + text(key) + ": " + what;
    }

    /// A key for a person: as it is where that can be read, else in hexadecimal; the beginning of a long one.
    public static String text(byte[] key) {
        int length = Math.min(key.length, SHOWN_BYTES);
        boolean readable = true;
        for (int i = 0; i < length; i++) {
            readable &= key[i] > ' ' && key[i] < 0x7F;
        }
        String more = key.length > length ? "..." : "";
        return readable
                ? "'" + new String(key, 0, length, StandardCharsets.US_ASCII) + more + "'"
                : "0x" + HexFormat.of().formatHex(key, 0, length) + more;
    }
}
